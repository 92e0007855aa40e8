import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { groups } from "../../src/commands/index.ts";
import { commandTree } from "../../src/reference/tree.ts";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { type Altered, alteringSession, type Exchange } from "../support/altering-proxy.ts";
import { chanceOf, oneOf } from "../support/chance.ts";
import { changeLines } from "../support/change-lines.ts";

// The instance stores another value than the one sent, one field at a time, and every later answer shows that one. No
// run of a job may end with exit 0 then. test/e2e/answered.test.ts has the commands that change one thing. By default
// one field of each job, chosen by FORGECTL_TEST_SEED; with FORGECTL_TEST_FIELDS=all every one.

const all = process.env.FORGECTL_TEST_FIELDS === "all";
const seed = Number(process.env.FORGECTL_TEST_SEED ?? 1);

/** What an instance is to store otherwise. */
interface Altering {
  field: string | undefined;
  /** The values that were sent, by the names of their fields at any depth. */
  sent: Map<string, Set<unknown>>;
}

/** The names that fields have in answers, if they have others. */
const answeredAs: Readonly<Record<string, string>> = {
  enabled: "inbound_enabled",
  saml_group_name: "name",
  target_project_id: "id",
  target_group_id: "id",
  allowed_to_push: "push_access_levels",
};
/** Texts, which the platform may edit, and what no answer shows. */
const edited = new Set(["commit_message", "content", "encoding", "_destroy"]);

function alter({ field, sent }: Altering, { method, sent: body, status, body: answer }: Exchange): Altered {
  if (method !== "GET" && method !== "HEAD" && method !== "DELETE") note(valuesOf(body), sent);
  const values = field === undefined ? undefined : sent.get(field);
  if (status >= 300 || field === undefined || values === undefined) return undefined;
  return { body: otherwise(answer, answeredAs[field] ?? field, values) };
}

function valuesOf(body: unknown): unknown {
  return typeof body === "string" ? Object.fromEntries(new URLSearchParams(body)) : body;
}

function note(value: unknown, sent: Altering["sent"]): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, each] of Object.entries(value)) {
    if (typeof each === "object") note(each, sent);
    else if (!edited.has(name) && !/^\d+$/.test(name)) sent.set(name, (sent.get(name) ?? new Set()).add(each));
  }
}

/** An answer in which each field of this name that has one of the values has another. */
function otherwise(answer: unknown, name: string, values: ReadonlySet<unknown>): unknown {
  if (Array.isArray(answer)) return answer.map((each) => otherwise(each, name, values));
  if (typeof answer !== "object" || answer === null) return answer;
  const entries = Object.entries(answer).map(([own, value]) => [
    own,
    own === name && [...values].some((each) => String(each) === String(value))
      ? other(value)
      : otherwise(value, name, values),
  ]);
  return Object.fromEntries(entries);
}

function other(value: unknown): unknown {
  if (typeof value === "boolean") return !value;
  return typeof value === "number" ? value + 1 : `${value}x`;
}

const hook = (n: number) =>
  `{ url: "https://hooks.example.com/s${n}", name: s${n}, events: [push, note], push_events_branch_filter: main, ` +
  "branch_filter_strategy: regex, enable_ssl_verification: false }";
const ofGroup = (section: string) => `forgectl: 1\ngroups: { acme: { ${section} } }\n`;
const ofProject = (section: string) => `forgectl: 1\nprojects: { "7": { ${section} } }\n`;
const rules =
  "deploy_access_levels: [{ access_level: maintainer }], approval_rules: [{ group_id: 4, required_approvals: 2 }]";
const map = (n: number) => `old,new\n${n === 1 ? "dana.dixon@acme.example" : `dana${n - 1}`},dana${n}\n`;

interface Job {
  readonly name: string;
  /** The file of a run; `n` is its number, since a change can be made only once. */
  readonly file: (n: number) => string;
  /** What is typed; `FILE` is the file. */
  readonly lines: readonly string[];
  /** Fields that are conditions of the change, and no values of the object. */
  readonly unshown?: readonly string[];
  readonly options?: SandboxOptions;
}

const applied = "state apply -f FILE --yes -o json";
const apply = [applied];
const jobs: Job[] = [
  { name: "state apply: hooks", file: (n) => ofGroup(`hooks: [${hook(n)}]`), lines: apply },
  {
    name: "state apply: saml_group_links",
    file: (n) => ofGroup(`saml_group_links: [{ name: s${n}, access_level: developer, member_role_id: 12 }]`),
    lines: apply,
  },
  {
    name: "state apply: ldap_group_links",
    file: (n) => ofGroup(`ldap_group_links: [{ cn: s${n}, provider: ldapmain, group_access: developer }]`),
    lines: apply,
  },
  {
    name: "state apply: container_registry_access_level",
    file: (n) => ofProject(`container_registry_access_level: ${n % 2 === 0 ? "enabled" : "private"}`),
    lines: apply,
  },
  {
    name: "state apply: job_token_scope",
    file: (n) => ofProject(`job_token_scope: { inbound_enabled: ${n % 2 === 0} }`),
    lines: apply,
  },
  {
    name: "state apply: allowlist",
    file: (n) => ofProject(`job_token_scope: { allowlist: [${n + 3}], groups_allowlist: [${n + 4}] }`),
    lines: apply,
  },
  {
    name: "state apply: protected_environments",
    file: (n) => ofProject(`protected_environments: [{ name: s${n}, ${rules} }]`),
    lines: apply,
  },
  { name: "state apply: project_hooks", file: (n) => ofProject(`hooks: [${hook(n)}]`), lines: apply },
  {
    name: "state apply: protected_branches",
    file: (n) =>
      ofProject(`protected_branches: [{ name: s${n}, push_access_levels: [{ user_id: 2 }], allow_force_push: true }]`),
    lines: apply,
  },
  {
    name: "state rollback",
    file: () => ofProject("error_tracking: { active: false, integrated: false }"),
    lines: [applied, "state rollback --yes -o json"],
  },
  {
    name: "settings rollback",
    file: () => "first_day_of_week: 1\n",
    lines: ["settings apply -f FILE --yes -o json", "settings rollback --yes -o json"],
  },
  {
    name: "envs apply",
    file: (n) => `- { name: a${n}, ${rules} }\n`,
    lines: ["envs apply -f FILE -p 7 --yes -o json"],
  },
  {
    name: "job-token apply",
    file: (n) => `inbound_enabled: ${n % 2 === 0}\n`,
    lines: ["job-token apply -f FILE -p 7 --yes -o json"],
  },
  {
    name: "saml identities remap",
    file: map,
    lines: ["saml identities remap -g acme --map FILE --yes -o json"],
    options: { hosting: "hosted" },
  },
  {
    name: "scim identities remap",
    file: map,
    lines: ["scim identities remap -g acme --map FILE --yes -o json"],
    options: { hosting: "hosted" },
  },
  {
    name: "files edit",
    file: () => "",
    lines: ["files edit README.md -p 7 -b main -m x --yes -o json"],
    unshown: ["last_commit_id"],
  },
];

describe("every job on an instance that stores something else", () => {
  test.concurrent.each(jobs)("$name", { timeout: 600_000 }, async ({ file, lines, unshown = [], options = {} }) => {
    const altering: Altering = { field: undefined, sent: new Map() };
    const { run, home } = await alteringSession((exchange) => alter(altering, exchange), options);
    const editor = join(home, "editor");
    await writeFile(editor, '#!/bin/sh\ndate +%N >> "$1"\n');
    await chmod(editor, 0o755);
    let n = 0;
    const typed = async (field?: string) => {
      n += 1;
      await writeFile(join(home, "file"), file(n));
      let last: Awaited<ReturnType<typeof run>> | undefined;
      for (const [index, line] of lines.entries()) {
        const isLast = index === lines.length - 1;
        altering.field = isLast ? field : undefined;
        altering.sent = new Map();
        const words = line.replace("FILE", "file").split(" ");
        last = await run(...words, { env: { EDITOR: editor, VISUAL: undefined }, cwd: home });
        if (!isLast) expect(last.code, last.stderr).toBe(0);
      }
      altering.field = undefined;
      return last;
    };
    const plain = await typed();
    expect(plain?.code, plain?.stderr).toBe(0);
    const fields = [...altering.sent.keys()].filter((each) => !unshown.includes(each));
    expect(fields.length).toBeGreaterThan(0);
    const random = chanceOf(seed + jobs.length * fields.length);
    const chosen = all ? fields : [oneOf(fields, random)];
    const unnoticed: string[] = [];
    for (const field of chosen) {
      const result = await typed(field);
      if (result?.code === 0) unnoticed.push(field);
    }
    expect(unnoticed).toEqual([]);
  });
});

// `commands -o json` says which commands change something. Each is here, in answered.test.ts, or in the list of those
// whose requests hold no value that an answer could show otherwise.
test("every command that changes something is tried, or has a reason", async () => {
  const tree = commandTree(await Promise.all(groups.map((entry) => entry.load())));
  const changing = tree.filter(({ changes }) => changes !== false);
  const deleting = changing.filter(({ requests }) =>
    requests.every(({ method }) => ["GET", "HEAD", "DELETE"].includes(method)),
  );
  const typed = ["settings apply", ...changeLines, ...jobs.flatMap(({ lines }) => lines)];
  const isTyped = ({ command }: { command: string }) => typed.some((line) => `${line} `.startsWith(`${command} `));
  const left = changing
    .filter((entry) => !isTyped(entry) && !(deleting.includes(entry) && entry.changes && entry.deletes))
    .map(({ command }) => command);
  expect(left).toEqual(Object.keys(untried));
  expect(tree.filter((entry) => isTyped(entry) && entry.command in untried)).toEqual([]);
});

/** Commands whose requests hold no value that an answer could show otherwise, in the order of help. */
const untried: Readonly<Record<string, string>> = {
  "registry token": "the repository that an instance makes for it is in no answer",
  "artifacts keep": "no value is sent; artifacts.test.ts has the answer that the artifacts still expire",
  "uploads create": "the answer has the address of the file alone",
  "errors keys create": "no value is sent",
  "errors keys rotate": "no value is sent; the new key is looked for before the old one is deleted",
  "relations export": "an instance decides for each relation whether it has batches",
  "relations pull": "as of relations export; what arrives is checked",
  "notes upsert": "a text alone, which the platform may edit",
  "discussions update": "a text alone, which the platform may edit",
  "groups export": "no value is sent",
  "groups import": "the answer is a message alone; the group comes later",
  "hooks resend": "no value is sent; the receiver's status decides",
  "hooks redeliver": "no value is sent; the receiver's status decides",
  "hooks listen": "what it forwards goes to another server",
  "hooks test": "no value is sent; the receiver's status decides",
  "settings edit": "needs a terminal; sends what settings apply sends",
  each: "answered.test.ts runs a command in it",
  batch: "answered.test.ts runs a command in it",
  api: "sends and prints what is typed, unchecked, as its help says",
};
