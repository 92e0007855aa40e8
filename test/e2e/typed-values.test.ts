import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Field } from "../../src/api/field.ts";
import { groups } from "../../src/commands/index.ts";
import type { Command } from "../../src/declare/command.ts";
import { argumentTerms, commandsIn, describeFlags } from "../../src/declare/describe.ts";
import { binary, node, requestsIn, sandboxSession } from "../support/session.ts";

// Values that a shell makes of a variable that is not set, of a flag that is typed twice, and of a terminal in another
// encoding: what would do more than was asked, or something else, is refused before anything is sent.

const log: string[] = [];
const { run, home, env } = await sandboxSession({ log: (line) => log.push(line) });
const nodes = await Promise.all(groups.map((entry) => entry.load()));
const commands = nodes.flatMap((each) => [...commandsIn(each)]).filter(({ path }) => path[0] !== "sandbox");

interface Typed {
  words: string[];
  label: string;
}

/** The words of every command with this value for each of its flags and arguments that fit. */
function linesWith(fits: (field: Field) => boolean, typed: (long: string, field: Field) => string[]): Typed[] {
  const ofCommand = ({ command, path }: { command: Command; path: readonly string[] }): Typed[] => {
    const flags = describeFlags(command.params).filter(({ field }) => fits(field) || fits(field.item ?? field));
    const [first] = argumentTerms(command.args);
    const isFirst = first !== undefined && (fits(first.field) || fits(first.field.item ?? first.field));
    return [
      ...flags.map(({ long, field }) => ({ words: [...path, ...typed(long, field)], label: long })),
      ...(isFirst ? [{ words: [...path, ...typed("", first.field)], label: first.term }] : []),
    ];
  };
  return commands.flatMap(ofCommand);
}

async function refusals(lines: readonly Typed[], problem: (typed: Typed) => string): Promise<string[]> {
  requestsIn(log);
  const wrong: string[] = [];
  for (const typed of lines) {
    const { code, stderr } = await run(...typed.words, "--yes");
    // What else is missing may be said first; a line that works, or an error of something else, may not.
    const isRefused = code === 2 && (stderr.includes(problem(typed)) || /^error: missing /m.test(stderr));
    if (!isRefused) wrong.push(`${typed.words.join(" ")}: ${code} ${stderr}`);
  }
  expect(requestsIn(log)).toEqual([]);
  return wrong;
}

test("an empty path is not this folder", { timeout: 60_000 }, async () => {
  const isPath = ({ completes, writes }: Field) =>
    completes === "file" || completes === "directory" || writes === "whole";
  const lines = linesWith(isPath, (long) => (long === "" ? [""] : [`${long}=`]));
  expect(lines.length).toBeGreaterThan(60);
  expect(await refusals(lines, ({ label }) => `error: ${label}: is empty\n`)).toEqual([]);
});

test("with an empty path, nothing of this folder is applied", async () => {
  writeFileSync(join(home, "settings.yaml"), "forgectl: 1\nsettings:\n  terminal_max_session_time: 1234\n");
  requestsIn(log);
  for (const words of [
    ["state", "apply"],
    ["state", "plan"],
    ["settings", "apply"],
    ["settings", "audit"],
  ]) {
    const { code, stdout, stderr } = await run(...words, "-f", "", "--yes");
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(/^error: --file: is empty\n/)]);
  }
  expect(requestsIn(log)).toEqual([]);
});

test("a flag of one value that is given two is refused by a command that changes something", {
  timeout: 30_000,
}, async () => {
  const isSingle = ({ kind }: Field) => kind !== "boolean" && kind !== "array" && kind !== "map";
  const lines = linesWith(isSingle, (long) => [`${long}=7`, `${long}=8`]).filter(({ words, label }) => {
    const command = commands.find(({ path }) => path.every((word, at) => word === words[at]))?.command;
    const flag = describeFlags(command?.params ?? {}).find(({ long }) => long === label);
    const mayChange = command?.changes !== undefined || command?.requests.some(({ method }) => method !== "GET");
    return mayChange && flag !== undefined && !flag.repeatable && flag.field.refused === undefined;
  });
  expect(lines.length).toBeGreaterThan(200);
  // One of each command: they have the same parser.
  const some = lines.filter(({ words: [group, verb] }, index) => {
    const [other, next] = lines[index + 1]?.words ?? [];
    return group !== other || verb !== next;
  });
  expect(await refusals(some, ({ label }) => `error: ${label}: is given twice, with different values\n`)).toEqual([]);
  const keep = ["--keep-regex", "v.*", "--keep-regex", "latest"];
  const pruned = await run("registry", "tags", "prune", "12", "-p", "7", "--delete-regex", ".*", ...keep, "--yes");
  expect(pruned).toMatchObject({ code: 2, stdout: "" });
  expect(pruned.stderr).toMatch(
    /^error: --keep-regex: is given twice, with different values\noutcome: nothing was sent\n/,
  );
  expect(await run("envs", "list", "-p", "7", "--project", "7")).toMatchObject({ code: 0 });
  // Of a global flag the last applies, and of a command that only reads: an alias may have given the first.
  expect((await run("users", "list", "-L", "1", "--limit", "2", "--jq", "length")).stdout).toBe("2\n");
  expect((await run("projects", "list", "-g", "globex", "-g", "acme", "-L", "all")).stdout).not.toContain("globex");
  const names = ["each", "--match", "a", "--match", "*", "--projects-of", "acme", "--", "users", "me"];
  expect(await run(...names)).toMatchObject({ code: 2, stdout: "" });
  expect((await run("users", "me", "-o", "csv", "-o", "json", "--jq", ".id")).stdout).toBe("1\n");
});

test.each([
  ["hooks update 2 -g acme --name --dry-run", "--name: missing <name>", "--dry-run"],
  ["notes create --issue 28 -p 7 --body -n", "--body: missing <text>", "-n"],
  ["notes create --issue 28 -p 7 --body -qn", "--body: missing <text>", "-qn"],
  [
    "registry tags prune 12 -p 7 --delete-regex x --keep-regex --repeat --yes",
    "--keep-regex: missing <re2>",
    "--repeat",
  ],
  ["uploads prune -p 7 --older-than 1d --match --keep-n=5 --yes", "--match: missing <glob>", "--keep-n"],
  [
    "hooks update 2 -g acme --description --no-ssl-verification",
    "--description: missing <description>",
    "--no-ssl-verification",
  ],
  ["--profile --dry-run envs unprotect production -p 7 --yes", "--profile: missing <name>", "--dry-run"],
])("%s: what an unset variable leaves is not sent", async (line, problem, flag) => {
  requestsIn(log);
  const { code, stdout, stderr } = await run(...line.split(" "));
  expect([code, stdout, requestsIn(log)]).toEqual([2, "", []]);
  expect(stderr).toMatch(
    new RegExp(`^error: ${problem}\ncause: ${flag} follows it, which is a flag\noutcome: nothing was sent\n`),
  );
});

test("a value may begin like a flag, also in a suggested line", async () => {
  const create = ["notes", "create", "--issue", "28", "-p", "7", "-n", "--jq", ".[0].body.body"];
  expect((await run(...create, "--body=--dry-run")).stdout).toBe("--dry-run\n");
  expect((await run(...create, "--body", "- one")).stdout).toBe("- one\n");
  expect((await run(...create, "--body", "--x")).stdout).toBe("--x\n");
});

test.each(["delete", "get", "tags list", "tags prune --delete-regex .* --older-than 1d"])(
  "registry %s: a path that ends in a slash is not that of the repository above",
  async (verb) => {
    requestsIn(log);
    const [word = "", ...more] = verb.split(" ");
    const words =
      word === "tags" ? [word, more.shift() ?? "", "acme/storefront/", ...more] : [word, "acme/storefront/"];
    const { code, stdout, stderr } = await run("registry", ...words, "--yes");
    expect([code, stdout, requestsIn(log)]).toEqual([2, "", []]);
    expect(stderr).toMatch(
      /^error: <repository-id(?:\.\.\.)?>: "acme\/storefront\/" ends in a slash\noutcome: nothing was sent\n/,
    );
  },
);

test.each([
  ["hooks create https://x.example/y", { "-g": "acme/" }],
  ["registry prune --delete-regex .* --via tags --yes", { "-g": "acme//" }],
  ["saml links add X --access-level owner", { FORGECTL_GROUP: "acme/" }],
  ["job-token groups add acme/ -p 7", {}],
  ["each --projects-of acme/ --yes -- job-token limit off", {}],
  ["each --groups-file - --yes -- hooks update 1 --name Y", { input: "acme/\n" }],
])("%s %j: the group above is not what a variable that is not set leaves of a path", async (line, given) => {
  requestsIn(log);
  const { "-g": group, input, ...env } = given as Record<string, string>;
  const words = [...line.split(" "), ...(group ? ["-g", group] : [])];
  const { code, stdout, stderr } = await run(...words, { env, ...(input && { input }) });
  expect([code, stdout, requestsIn(log)]).toEqual([2, "", []]);
  expect(stderr).toMatch(/^error: [^:]+: "acme\/+" ends in a slash, as without a variable that is not set\n/);
  expect(stderr).toContain("for all of acme: without the slash");
});

const filters = `
users list --username
users list --search
users list --provider x --extern-uid
users list --extern-uid x --provider
projects list --search
projects list -g acme --search
groups list --search
events list --action
events list --target-type
events list --scope
events calendar --action
saml links get Engineering -g acme --provider
saml links remove Engineering -g acme --yes --provider
ldap links remove -g acme --cn x --yes --provider
ldap links remove -g acme --provider ldapmain --yes --cn
ldap links remove -g acme --provider ldapmain --yes --filter`;

test.each(filters.trim().split("\n"))("%s with a blank value, which instances ignore: exit 2", async (line) => {
  const flag = line.split(" ").at(-1);
  for (const [value, problem] of [
    ["", "is empty"],
    [" ", 'must be more than spaces, which instances ignore, not " "'],
  ] as const) {
    requestsIn(log);
    const { code, stdout, stderr } = await run(...line.split(" "), value);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(`error: ${flag}: ${problem}\n`)]);
    expect(requestsIn(log)).toEqual([]);
  }
});

/** A shell writes the bytes: Node makes UTF-8 of every argument that it passes. */
const typedIn = (line: string) => {
  const script = `exec '${node}' '${binary}' ${line}`;
  const { status, stdout, stderr } = spawnSync("bash", ["-c", script], { cwd: home, env, encoding: "utf8" });
  return { status, stdout, stderr };
};

test.skipIf(process.platform === "win32").each([
  ["notes create --issue 28 -p 7 --body $'caf\\xe9'", 8],
  ["files put $'caf\\xe9.txt' -p 7 -b main -m x --content x", 3],
  ["saml links add $'Ing\\xe9' -g acme --access-level 10", 4],
  ["envs unprotect $'\\xe9' -p 7 --yes", 3],
  ["users list --search=$'\\xff'", 3],
  ["each --projects-of acme -- files cat $'\\xe9'", 7],
])("%s: bytes that are not UTF-8 are not stored as another text", async (line, place) => {
  // A process that another one starts has its requests in the sandbox's log too.
  requestsIn(log);
  const { status, stdout, stderr } = typedIn(line);
  expect([status, stdout, stderr]).toEqual([2, "", expect.stringMatching(/^error: argument \d is not valid UTF-8\n/)]);
  expect(stderr).toContain(`argument ${place} is`);
  expect(requestsIn(log)).toEqual([]);
});

test("a batch may name what has U+FFFD in its name", async () => {
  const args = ["files", "put", "caf\ufffd.txt", "-p", "7", "-b", "main", "-m", "x", "--content", "x"];
  const { code, stdout } = await run("batch", "-", "-n", {
    input: JSON.stringify({ args }).replace("\ufffd", "\\ufffd"),
  });
  expect([code, stdout]).toEqual([0, expect.stringContaining("caf%EF%BF%BD.txt")]);
});
