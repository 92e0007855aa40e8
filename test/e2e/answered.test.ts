import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Altered, alteringSession, type Exchange } from "../support/altering-proxy.ts";
import { changeLines } from "../support/change-lines.ts";

// The instance answers every change with a value other than the one sent, one field at a time. No run may end with exit
// 0 then: what is stored is not what was asked for. The fields are found here by the values in the request and in the
// answer, not by what the program declares.

let altered: string | undefined;
let fields: string[] = [];
let reads: { from: unknown } | undefined;
/** What was sent to a path: if set, its later reads are altered too, as on an instance that stored something else. */
let stored: { path: string; from: unknown } | undefined;

/** Answers whose fields have other names than what was sent. */
const names: Readonly<Record<string, readonly string[]>> = {
  enabled: ["inbound_enabled"],
  saml_group_name: ["name"],
  internal: ["internal", "confidential"],
  confidential: ["confidential", "internal"],
  resolved: ["notes.*.resolved"],
  created_at: ["created_at", "notes.*.created_at"],
  custom_headers: ["custom_headers.*.key"],
  deploy_access_levels: ["deploy_access_levels.*.user_id", "deploy_access_levels.*.access_level"],
  approval_rules: ["approval_rules.*.required_approvals", "approval_rules.*.group_id"],
};
/** The texts, which the platform may edit, and what it does not answer. */
const edited = new Set(["body", "commit_message", "content", "file", "token", "encoding", "required_approval_count"]);

function alter({ method, path, sent, status, body }: Exchange): Altered {
  if (status >= 300) return undefined;
  if (method === "GET") {
    if (altered !== undefined && stored?.path === path) return { body: otherwise(stored.from, body) };
    if (reads === undefined) return undefined;
    const { from } = reads;
    reads = undefined;
    return { body: otherwise(from, body) };
  }
  if (method === "DELETE") return undefined;
  const values = sentValues(sent);
  if (altered !== undefined) stored = { path, from: values };
  // An empty answer: the program reads the object, and that is altered.
  if (body === undefined || body === null) {
    reads = { from: values };
    return undefined;
  }
  return { body: otherwise(values, body) };
}

function sentValues(sent: unknown): Record<string, unknown> {
  return typeof sent === "string" ? Object.fromEntries(new URLSearchParams(sent)) : (sent as Record<string, unknown>);
}

/** The answer with the field `altered` changed; the other comparable ones are collected. */
function otherwise(sent: unknown, body: unknown): unknown {
  const answer = structuredClone(body) as Record<string, unknown>;
  const found: string[] = [];
  for (const [name, value] of Object.entries((sent ?? {}) as object)) {
    if (edited.has(name) || value === null) continue;
    const paths = (names[name] ?? [name]).filter((path) => change(structuredClone(answer), path.split(".")));
    if (paths.length === 0) continue;
    found.push(name);
    if (name === altered) for (const path of paths) change(answer, path.split("."));
  }
  fields = found;
  return answer;
}

/** Replaces the values at a path by others of their type; false if there are none. */
function change(value: unknown, [name = "", ...rest]: string[]): boolean {
  if (name === "*") return Array.isArray(value) && value.filter((item) => change(item, rest)).length > 0;
  const holder = value as Record<string, unknown> | null;
  if (typeof holder !== "object" || holder === null || holder[name] === undefined) return false;
  if (rest.length > 0) return change(holder[name], rest);
  if (holder[name] === null) return false;
  holder[name] = other(holder[name]);
  return true;
}

function other(value: unknown): unknown {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  if (Array.isArray(value)) return [];
  const text = String(value);
  return Number.isNaN(Date.parse(text)) || !/^\d{4}-/.test(text) ? `${text}x` : "2001-01-01T00:00:00.000Z";
}

const proxy = await alteringSession(alter);
const hosted = await alteringSession(alter, { hosting: "hosted" });
await writeFile(join(proxy.home, "key"), "X-Team: blue\n");
await writeFile(join(proxy.home, "note.txt"), "Text\n");
afterAll(() => {
  altered = undefined;
});

let run = 0;

async function type(line: string) {
  run += 1;
  stored = undefined;
  const { direct, run: onProxy } = /^(?:saml|scim) identities/.test(line) ? hosted : proxy;
  const words = await filled(line, direct.run);
  return onProxy(...words, "--yes", "-o", "json");
}

/** A line with its places filled in by objects that exist now. */
async function filled(line: string, direct: typeof proxy.run): Promise<string[]> {
  const ask = async (...words: string[]) => JSON.parse((await direct(...words, "-o", "json")).stdout);
  const places: Record<string, () => Promise<unknown>> = {
    n: async () => run,
    project: async () => 1 + (run % 12),
    group: async () => 1 + (run % 8),
    saml: async () => (await ask("saml", "identities", "list", "-g", "acme"))[0].extern_uid,
    scim: async () => (await ask("scim", "identities", "list", "-g", "acme"))[0].extern_uid,
    reply: async () => (await ask("discussions", "list", "--issue", "28", "-p", "7"))[0].id,
    thread: async () => {
      const all = await ask("discussions", "list", "--mr", "19", "-p", "7");
      return all.find((each: { notes: { resolvable: boolean }[] }) => each.notes[0]?.resolvable).id;
    },
  };
  const words: string[] = [];
  for (const word of line.split(" ")) {
    const [, name = ""] = /\{(\w+)\}/.exec(word) ?? [];
    words.push(name === "" ? word : word.replace(`{${name}}`, String(await places[name]?.())));
  }
  return words;
}

describe("every change that is answered otherwise", () => {
  test.each(changeLines)("%s", { timeout: 60_000 }, async (line) => {
    altered = undefined;
    fields = [];
    const plain = await type(line);
    expect(plain.stderr).toBe(plain.code === 0 ? plain.stderr : "");
    expect(plain.code).toBe(0);
    const comparable = fields;
    expect(comparable.length).toBeGreaterThan(0);
    for (const name of comparable) {
      altered = name;
      reads = undefined;
      const { code, stderr } = await type(line);
      const { error } = JSON.parse(stderr.split("\n").find((each) => each.startsWith("{")) ?? "{}");
      expect({ name, code }).toEqual({ name, code: 9 });
      expect(error.outcome).toMatch(/^(?:altered|not_taken)$/);
      expect(Object.keys(error.fields)).toContain(name === "confidential" ? comparable[0] : name);
      // Nothing is left half made for the next run.
      altered = undefined;
    }
  });

  // Commands that send what others do. `api` sends and prints what is typed, unchecked, as its help says.
  test.each([
    ["each", "scopes.txt", "each --projects-file scopes.txt --yes -o json -- registry visibility private"],
    ["batch", "lines.ndjson", "batch lines.ndjson"],
    ["state apply", "state.yaml", "state apply -f state.yaml --yes -o json"],
    ["settings apply", "settings.yaml", "settings apply -f settings.yaml --yes -o json"],
  ])("%s", { timeout: 60_000 }, async (_, file, line) => {
    const contents: Record<string, (turn: boolean) => string> = {
      "scopes.txt": () => "7\n",
      "lines.ndjson": (turn) =>
        JSON.stringify({ id: "1", args: `job-token limit ${turn ? "on" : "off"} -p 7 --yes`.split(" ") }),
      "state.yaml": (turn) =>
        `forgectl: 1\nprojects: { "7": { error_tracking: { active: ${turn}, integrated: ${turn} } } }\n`,
      "settings.yaml": (turn) => `first_day_of_week: ${turn ? 1 : 2}\n`,
    };
    const typed = async (turn: boolean) => {
      await writeFile(join(proxy.home, file), contents[file]?.(turn) ?? "");
      return proxy.run(...line.split(" "));
    };
    altered = undefined;
    fields = [];
    for (const turn of [true, false]) expect((await typed(turn)).code).toBe(0);
    const comparable = fields;
    stored = undefined;
    expect(comparable.length).toBeGreaterThan(0);
    for (const name of comparable) {
      altered = name;
      reads = undefined;
      const { code, stdout } = await typed(true);
      altered = undefined;
      stored = undefined;
      expect({ name, code, stdout }).toEqual({ name, code: 9, stdout: expect.stringMatching(/altered|not_taken/) });
      expect((await typed(false)).code).toBe(0);
    }
  });
});
