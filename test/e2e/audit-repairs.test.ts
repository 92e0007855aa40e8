import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { settings as catalogue } from "../../src/settings/catalogue.ts";
import { hardeningRules } from "../../src/settings/hardening.ts";
import { sandboxSession, session } from "../support/session.ts";
import { runScript } from "../support/shell.ts";
import { smallInstance } from "../support/small-instance.ts";

// The line that an audit suggests, and the file of fixes: what they set is data, whatever a rule says, and never less
// strict than the present value.

interface Row {
  rule: string;
  verdict: string;
  try: string | null;
  expect?: string;
}

interface Given {
  rules: readonly object[];
  settings: Readonly<Record<string, unknown>>;
}

/** A session on an instance with these settings, and a baseline file with these rules. */
async function audited({ rules, settings }: Given) {
  const answers = {
    "GET /user": { id: 1, username: "root", is_admin: true },
    "GET /users": [],
    "GET /application/settings": { id: 1, ...settings },
  };
  const { url } = await smallInstance(answers);
  const own = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "t0ken-of-root" });
  writeFileSync(join(own.home, "baseline.json"), JSON.stringify({ rules }));
  const { stdout } = await own.run("audit", "--baseline", "baseline.json", "-o", "json", "-q");
  const rows = JSON.parse(stdout) as Row[];
  const lines = new Map(rows.flatMap(({ rule, try: line }) => (line === null ? [] : [[rule, line] as const])));
  return { ...own, rows, lineOf: (setting: string) => lines.get(`settings.${setting}`), lines: [...lines] };
}

/** The file of fixes, which `settings plan` has to read. */
async function fixesOf({ rules, settings }: Given): Promise<string> {
  const { run, home } = await audited({ rules, settings });
  const words = ["settings", "audit", "--baseline", "baseline.json", "--fix-file", "fix.yaml"];
  expect(await run(...words)).toMatchObject({ code: 0 });
  expect(await run("settings", "validate", "-f", "fix.yaml")).toMatchObject({ code: 0 });
  return readFileSync(join(home, "fix.yaml"), "utf8");
}

/** The words of each line, as a shell splits it. */
async function wordsOf(home: string, lines: readonly string[]): Promise<string[][]> {
  const script = lines.map((line) => `printf '%s\\0' ${line}; printf '\\0'`).join("\n");
  writeFileSync(join(home, "lines.sh"), script);
  const { output } = await runScript("sh lines.sh", { cwd: home, env: { PATH: process.env.PATH } });
  return output
    .split("\0\0")
    .slice(0, -1)
    .map((words) => words.split("\0"));
}

const hostile = [
  "false' --base-url 'http://127.0.0.1:9",
  '" --yes "',
  "@secret.txt",
  "@",
  "-",
  "--yes",
  "-f",
  "$(touch PWNED)",
  "`touch PWNED`; touch PWNED; #",
  "Don't",
  "two\nlines",
  "a line\n",
  "nul\u0000nul",
  "{setting} {assignment} [--yes]",
  "'--fix-file=x'",
  "\u2019; touch PWNED; \u2019",
  "\\",
  "=cat",
];

describe("texts of a baseline file", () => {
  const names = [
    ...new Set([
      ...hardeningRules.map(({ setting }) => setting),
      ...catalogue.filter(({ type }) => type === "string" || type === "text").map(({ name }) => name),
      "not_documented",
    ]),
  ];

  test.each(hostile)("%j is a value of one assignment, or there is no line", async (text) => {
    const rules = names.map((setting) => ({ setting, expect: { is: text }, severity: "high" }));
    const settings = Object.fromEntries(names.map((name) => [name, "x"]));
    const { home, lines } = await audited({ rules, settings });
    writeFileSync(join(home, "secret.txt"), "s3cret");
    expect(lines.length).toBeGreaterThan(50);
    const words = await wordsOf(
      home,
      lines.map(([, line]) => line),
    );
    expect(words.length).toBe(lines.length);
    const isTyped = !/^[-@]$|^@|\n$/.test(text) && !text.includes("\u0000");
    for (const [index, [rule]] of lines.entries()) {
      const name = rule.slice("settings.".length);
      const possible = [
        `forgectl settings explain ${name}`,
        ...(isTyped ? [`forgectl settings set ${name}=${text}`] : []),
      ];
      expect(possible).toContain(words[index]?.join(" "));
      expect(words[index]).toHaveLength(4);
    }
    expect(lines.some(([, line]) => line.startsWith("forgectl settings set "))).toBe(isTyped);
    expect(existsSync(join(home, "PWNED"))).toBe(false);
  });

  test("what a user has typed with an apostrophe is set with it", async () => {
    const rules = [{ setting: "after_sign_up_text", expect: { is: "Don't" } }];
    const { home, lineOf } = await audited({ rules, settings: { after_sign_up_text: "x" } });
    const [words] = await wordsOf(home, [lineOf("after_sign_up_text") ?? ""]);
    expect(words).toEqual(["forgectl", "settings", "set", "after_sign_up_text=Don't"]);
  });

  test("a value that reads a variable or a file of the user who applies it is in no file of fixes", async () => {
    const settings = { after_sign_up_text: "x", help_text: "x", not_documented: 1 };
    const references = [{ env: "CI_SECRET" }, { file: "secret.txt" }];
    for (const is of references) {
      const rules = Object.keys(settings).map((setting) => ({ setting, expect: { is }, severity: "high" }));
      const text = await fixesOf({ rules, settings });
      expect(text.split("\n").filter((line) => !/^(?:#|$)/.test(line))).toEqual(["{}"]);
    }
  });
});

describe("the suggested value", () => {
  test.each([
    ["session_expire_delay", { atLeast: 1, atMost: 480 }, 1000, 480],
    ["max_attachment_size", { atMost: 10 }, 50, 10],
    ["ecdsa_key_restriction", { is: -1 }, 384, -1],
    ["rsa_key_restriction", { atLeast: 4096 }, 2048, 4096],
    ["restricted_visibility_levels", { is: ["public", "internal"] }, ["public"], ["public", "internal"]],
    ["restricted_visibility_levels", undefined, ["internal"], ["internal", "public"]],
    ["ed25519_key_restriction", undefined, "384", undefined],
    ["max_login_attempts", { not: 10 }, 10, undefined],
    ["max_login_attempts", { atLeast: 5, atMost: 3 }, 10, undefined],
  ] as const)("of %s, expected %j, with %j: %j", async (setting, expected, present, value) => {
    const rules = expected === undefined ? [] : [{ setting, expect: expected }];
    const { home, lineOf } = await audited({ rules, settings: { [setting]: present } });
    const [words = []] = await wordsOf(home, [lineOf(setting) ?? ""]);
    const last = value === undefined ? setting : `${setting}=${JSON.stringify(value)}`;
    expect(words).toEqual(["forgectl", "settings", value === undefined ? "explain" : "set", last]);
    const text = await fixesOf({ rules, settings: { [setting]: present } });
    const items = Array.isArray(value) ? value.map((item) => `\n  - ${item}`).join("") : ` ${value}`;
    const isWritten = new RegExp(`^(?:# )?${setting}:${items}$`, "m").test(text);
    expect([isWritten, text.includes(`# ${setting}:   # `)]).toEqual([value !== undefined, value === undefined]);
  });
});

test("a baseline's own rule applies whatever else is set; a built-in one says while what", async () => {
  const settings = { signup_enabled: false, user_default_external: false };
  const judged = async (rules: readonly object[]) => {
    const { rows, run } = await audited({ rules, settings });
    const alone = await run("settings", "audit", "--baseline", "baseline.json", "--exit-code", "-o", "json");
    const listed = JSON.parse((await run("audit", "--rules", "--baseline", "baseline.json", "-o", "json")).stdout);
    return [
      rows.filter(({ rule }) => rule === "settings.user_default_external").map(({ verdict }) => verdict),
      alone.code,
      (listed as (Row & { id: string })[]).find(({ id }) => id === "settings.user_default_external")?.expect,
    ];
  };
  const own = { setting: "user_default_external", expect: { is: true } };
  expect(await judged([own])).toEqual([["fail"], 10, "true"]);
  expect(await judged([{ ...own, expect: undefined, severity: "high" }])).toEqual([
    [],
    0,
    "true while signup_enabled is true",
  ]);
});

test("the last approval rule is not to be removed", async () => {
  const rule = (id: number, user: number) => ({ id, user_id: user, group_id: null, access_level: null });
  const environment = (name: string, ...approvals: object[]) => ({
    name,
    deploy_access_levels: [{ id: 9, access_level: 40 }],
    approval_rules: approvals.map((each) => ({ required_approvals: 1, ...each })),
  });
  const { url } = await smallInstance({
    "GET /projects/p/job_token_scope": { inbound_enabled: true },
    "GET /projects/p/protected_environments": [
      environment("only", rule(1, 7)),
      environment("both", rule(1, 7), rule(2, 7)),
      environment("other", rule(1, 7), rule(2, 8)),
      environment("none", rule(1, 7), { ...rule(2, 8), required_approvals: 0 }),
    ],
    "GET /users/7": { id: 7, username: "seven", state: "blocked" },
    "GET /users/8": { id: 8, username: "eight", state: "active" },
  });
  const own = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "t0ken-of-root" });
  const { stdout } = await own.run("audit", "-p", "p", "-o", "json", "-q");
  const rows = (JSON.parse(stdout) as Row[]).filter(({ rule: id }) => id === "envs.blocked_user");
  expect(rows.map(({ try: line }) => line).sort()).toEqual([
    "forgectl envs get both -p p",
    "forgectl envs get both -p p",
    "forgectl envs get none -p p",
    "forgectl envs get only -p p",
    "forgectl envs update other -p p --remove-approval 1",
  ]);
});

test("no line has a part that is to be filled in", async () => {
  const { run } = await sandboxSession();
  const rules = JSON.parse((await run("audit", "--rules", "-o", "json")).stdout) as Row[];
  expect(rules.filter(({ try: line }) => line?.includes("..."))).toEqual([]);
  const address = ["hooks", "create", "http://plain.example/in", "-g", "acme", "--events", "push"];
  const made = await run(...address, "-o", "json");
  expect(made).toMatchObject({ code: 0 });
  const { id } = JSON.parse(made.stdout) as { id: number };
  const rows = JSON.parse((await run("audit", "-g", "acme", "-o", "json", "-q")).stdout) as Row[];
  expect(rows.find(({ rule }) => rule === "hooks.plain_http")?.try).toBe(`forgectl hooks get ${id} -g acme`);
});
