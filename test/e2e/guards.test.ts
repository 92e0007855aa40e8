import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { changes } from "../../src/api/endpoint.ts";
import { groups } from "../../src/commands/index.ts";
import type { Command } from "../../src/declare/command.ts";
import { commandsIn } from "../../src/declare/describe.ts";
import { atEnd } from "../support/ending.ts";
import { startSandbox } from "../support/sandbox.ts";
import { type Session, session } from "../support/session.ts";
import { shellWords } from "../support/shell.ts";

const log: string[] = [];
const sandbox = await startSandbox({ log: (line) => log.push(line) });
atEnd(() => sandbox.close());

/** A session whose home has profiles; the address and the token come from the environment. */
function withProfiles(profiles: Record<string, object>, env: Record<string, string> = {}): Session {
  const place = session({ FORGECTL_BASE_URL: sandbox.url, FORGECTL_TOKEN: sandbox.tokens.administrator, ...env });
  const folder = join(place.home, ".config", "forgectl");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, "profiles.json"), JSON.stringify({ version: 1, profiles }), { mode: 0o600 });
  return place;
}

const prod = { "base-url": sandbox.url };

const nodes = await Promise.all(groups.map((entry) => entry.load()));
const all = nodes.flatMap((node) => [...commandsIn(node)]);

/** Lines for the commands whose requests depend on what is typed. */
const ownLines: Readonly<Record<string, string>> = {
  api: "api projects/7/error_tracking/settings -X PUT -F active=true",
  "hooks listen": "hooks listen --forward http://127.0.0.1:9/",
  each: "each --projects-file projects.txt --yes -- errors disable",
  batch: "batch commands.ndjson",
};

/** The first example that would send a change. */
function lineOf(name: string, { examples }: Command): string {
  const found = ownLines[name] ?? examples.map(({ line }) => line).find((line) => !/(?: -n| --dry-run)\b/.test(line));
  if (found === undefined) throw new Error(`${name} has no example that sends a change`);
  return found.replace(/ (?:<|\||>) .*/, "");
}

const changing = all
  .map(({ path, command }) => ({ name: path.join(" "), command }))
  .filter(({ name, command }) => command.requests.some(changes) || name in ownLines)
  .map(({ name, command }) => ({ name, line: lineOf(name, command) }));

async function typed(place: Session, line: string, ...more: string[]) {
  writeFileSync(join(place.home, "projects.txt"), "acme/storefront\n");
  writeFileSync(join(place.home, "commands.ndjson"), '{"args": ["errors", "disable", "-p", "7"]}\n');
  const words = await shellWords(`forgectl ${line}`, { cwd: place.home, env: place.env });
  return place.run(...words.slice(1), ...more);
}

test("a guard that was written by hand as profiles show names it holds", async () => {
  const place = withProfiles({ prod: { ...prod, read_only: true } });
  const { code, stderr } = await typed(place, "job-token limit on -p 7", "--profile", "prod");
  expect([code, stderr]).toEqual([5, expect.stringContaining("is refused: profile prod is read-only")]);
  expect((await typed(place, "profiles show prod --jq .read_only")).stdout).toBe("true\n");
  const both = withProfiles({ prod: { ...prod, "read-only": true, read_only: false } });
  expect((await typed(both, "job-token limit on -p 7", "--profile", "prod")).code).toBe(5);
});

test("all changing commands are among those of the tables below", () => {
  expect(changing.length).toBeGreaterThan(60);
  for (const name of Object.keys(ownLines)) expect(changing.map((each) => each.name)).toContain(name);
});

describe("without an address no change is taken for a bug", () => {
  const place = session();
  // It listens until it is stopped.
  const ending = changing.filter(({ name }) => name !== "hooks listen");
  test.each(ending)("$name", async ({ line }) => {
    const { code, stderr } = await typed(place, line, ...(line.includes(" -- ") ? [] : ["--yes"]));
    expect([2, 4, 9], stderr).toContain(code);
    expect(stderr).not.toContain("bug in forgectl");
  });
});

describe("with FORGECTL_READ_ONLY every change is refused before the first request", () => {
  const place = withProfiles({}, { FORGECTL_READ_ONLY: "1" });
  test.each(changing)("$name", async ({ line }) => {
    log.length = 0;
    const { code, stdout, stderr } = await typed(place, line);
    expect([code, stdout, log], stderr).toEqual([5, "", []]);
    expect(stderr).toMatch(/^error: ".+" is refused: FORGECTL_READ_ONLY is read-only$/m);
  });
});

describe("a protected instance takes no change without its profile's name", () => {
  const place = withProfiles({ prod: { ...prod, protect: true } });
  test.each(changing)("$name", async ({ line }) => {
    log.length = 0;
    for (const yes of [[], ["--yes"]]) {
      const end = line.includes(" -- ") ? await typed(place, line) : await typed(place, line, ...yes);
      expect([end.code, end.stdout, log], end.stderr).toEqual([2, "", []]);
      expect(end.stderr).toContain("--yes=prod");
    }
  });
});

describe("a guard is for the address of its profile", () => {
  const change = "errors disable -p 7".split(" ");
  const upper = sandbox.url.replace("127.0.0.1", "LOCALHOST");

  test.each<[string, Record<string, object>, Record<string, string>, string]>([
    ["that no one chose", { prod: { ...prod, "read-only": true } }, {}, "profile prod"],
    ["of one of several", { a: prod, b: { ...prod, "read-only": "yes" }, c: prod }, {}, "profile b"],
    [
      "in a CI job, where no profile is used",
      { prod: { ...prod, "read-only": true } },
      { CI_JOB_TOKEN: "j" },
      "profile prod",
    ],
    ["that no variable loosens", { prod: { ...prod, "read-only": true } }, { FORGECTL_READ_ONLY: "0" }, "profile prod"],
    [
      "spelled in another way",
      { prod: { "base-url": `${upper}/api/v4/`, "read-only": true } },
      { FORGECTL_BASE_URL: upper.toLowerCase() },
      "profile prod",
    ],
    [
      "by another name of this machine",
      { prod: { ...prod, "read-only": true } },
      { FORGECTL_BASE_URL: sandbox.url.replace("127.0.0.1", "localhost") },
      "profile prod",
    ],
    ...["//below", "/%62elow", "/x/../below//api/v4"].map(
      (path): [string, Record<string, object>, Record<string, string>, string] => [
        `with the path ${path}`,
        { prod: { "base-url": `${sandbox.url}/below`, "read-only": true } },
        { FORGECTL_BASE_URL: `${sandbox.url}${path}` },
        "profile prod",
      ],
    ),
    ["whose value is not valid", { prod: { ...prod, "read-only": "perhaps" } }, {}, "profile prod"],
    ["twice, in any order", { prod: { ...prod, readOnly: true, read_only: false } }, {}, "profile prod"],
    [
      "beside its own name, which is off",
      { prod: { ...prod, "read-only": false, readOnly: true } },
      {},
      "profile prod",
    ],
    ["before its own name", { prod: { ...prod, read_only: true, "read-only": false } }, {}, "profile prod"],
    ["with a key in another case", { prod: { ...prod, readOnly: true } }, {}, "profile prod"],
    ...[
      "FORGECTL_READONLY",
      "FORGECTL_READ_ONY",

      "FORGECTL_DRY_RUN",
      "FORGECTL_PROTECTED",
    ].map((name): [string, Record<string, object>, Record<string, string>, string] => [
      `of ${name}`,
      {},
      { [name]: "1" },
      name,
    ]),
  ])("%s", async (_, profiles, env, source) => {
    log.length = 0;
    const { code, stderr } = await withProfiles(profiles, env).run(...change);
    expect([code, log], stderr).toEqual([5, []]);
    expect(stderr).toContain(`is refused: ${source} is read-only`);
  });

  test("a name that is nearly one of this program's is said, and holds back no read", async () => {
    const read = ["errors", "settings", "get", "-p", "7"];
    const warned = async (keys: object, env: Record<string, string>) => {
      const { code, stderr } = await withProfiles({ prod: { ...prod, ...keys } }, env).run(
        ...read,
        "--profile",
        "prod",
      );
      return [code, stderr];
    };
    expect(
      await warned({}, { FORGECTL_READONLY: "1", FORGECTL_TOKEN_OF_OURS: "x", FORGECTL_READ_ONLY_URL: "x" }),
    ).toEqual([
      0,
      "warning: FORGECTL_READONLY is not a variable of this program, and changes are refused: did you mean FORGECTL_READ_ONLY?\n",
    ]);
    expect(await warned({ timeouts: 5, note: "of ours" }, { FORGECTL_PROJET: "1", FORGECTL_DRY_RUN: "0" })).toEqual([
      0,
      "warning: FORGECTL_PROJET is not a variable of this program: did you mean FORGECTL_PROJECT?\n" +
        'warning: profile prod has the key "timeouts": did you mean timeout?\n',
    ]);
  });

  test("what is no value under a name that is nearly that of a guard is none", async () => {
    expect((await withProfiles({ prod: { ...prod, protected: ["main"] } }).run(...change, "--yes")).code).toBe(0);
    for (const beside of [{ read_only: null }, { "read-only-why": "freeze" }, { readOnly: [true] }]) {
      const { code } = await withProfiles({ prod: { ...prod, ...beside, "read-only": false } }).run(...change);
      expect(code, JSON.stringify(beside)).toBe(0);
    }
  });

  test("a key that is nearly protect protects", async () => {
    const place = withProfiles({ prod: { ...prod, protected: true } });
    expect(await place.run(...change, "--yes")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--yes=prod"),
    });
  });

  test("another instance's guard holds nothing back", async () => {
    const other = { "base-url": "https://other.example.com", "read-only": true, protect: true };
    const { code } = await withProfiles({ other, prod: { ...prod, "read-only": false } }).run(...change);
    expect(code).toBe(0);
  });

  test("the strictest wins", async () => {
    const { code } = await withProfiles({ a: { ...prod, protect: true }, b: { ...prod, "read-only": true } }).run(
      ...change,
      "--yes=a",
    );
    expect(code).toBe(5);
  });
});

describe("what a guard leaves alone", () => {
  const place = withProfiles({ prod: { ...prod, "read-only": true } });

  test("reads, dry runs, and changes on this machine", async () => {
    for (const line of [
      "projects get acme/storefront",
      "api user",
      "api projects/7 -X PUT -F name=x -n",
      "errors disable -p 7 -n",
      "profiles set prod project=7",
      "each --projects-file projects.txt -- job-token get",
    ]) {
      const { code, stderr } = await typed(place, line);
      expect([line, code], stderr).toEqual([line, 0]);
    }
  });

  test("a sandbox for a child, which does not inherit the variable", async () => {
    const guarded = withProfiles({}, { FORGECTL_READ_ONLY: "1", FORGECTL_BASE_URL: "" });
    const { code, stdout } = await guarded.run("sandbox", "exec", "--", "sh", "-c", "echo [$FORGECTL_READ_ONLY]");
    expect([code, stdout]).toEqual([0, "[]\n"]);
  });

  test("auth status shows it", async () => {
    const both = withProfiles({
      prod: { ...prod, "read-only": true },
      next: { ...prod, "base-url": "http://127.0.0.1:9" },
    });
    const { stdout } = await both.run("auth", "status", "--offline", "--fields", "profile,guard", "-o", "csv");
    expect(stdout).toBe("profile,guard\n,read-only\nprod,read-only\nnext,\n");
  });
});

describe("--yes=<profile>", () => {
  const change = "errors disable -p 7".split(" ");
  const place = withProfiles({ prod: { ...prod, protect: true } });

  test("confirms a change where that profile is protected", async () => {
    expect((await place.run(...change, "--yes=prod")).code).toBe(0);
    expect((await place.run("--yes=prod", ...change)).code).toBe(0);
  });

  test("another name is refused, and nothing is sent", async () => {
    log.length = 0;
    const { code, stderr } = await place.run(...change, "--yes=staging");
    expect([code, log]).toEqual([2, []]);
    expect(stderr).toContain("--yes=staging: the instance is protected by profile prod");
  });

  test("is --yes where nothing is protected", async () => {
    const { code } = await withProfiles({}).run("notes", "delete", "1", "--issue", "28", "-p", "7", "--yes=prod", "-n");
    expect(code).toBe(0);
  });

  test.each(["false", "no", "off", "0", "No"])(
    "the word %s confirms nothing, unless a protected profile has that name",
    async (word) => {
      for (const { run } of [
        place,
        withProfiles({}),
        withProfiles({ prod, [word]: { "base-url": "https://next.example" } }),
      ]) {
        log.length = 0;
        const { code, stdout, stderr } = await run("notes", "delete", "1", "--issue", "28", "-p", "7", `--yes=${word}`);
        expect([code, stdout, log]).toEqual([2, "", []]);
        expect(stderr).toContain(
          `error: --yes=${word}: is not the name of a protected profile\noutcome: nothing was sent\n`,
        );
      }
      const named = withProfiles({ [word]: { ...prod, protect: true } });
      expect((await named.run(...change, `--yes=${word}`)).code).toBe(0);
    },
  );

  test("is taken once by each and batch", async () => {
    writeFileSync(join(place.home, "two.txt"), "7\nacme/storefront\n");
    const each = await place.run("each", "--projects-file", "two.txt", "--yes=prod", "--", "errors", "disable");
    expect([each.code, each.stderr]).toEqual([0, expect.not.stringContaining("error")]);
    writeFileSync(join(place.home, "lines.ndjson"), '{"args":["errors","disable","-p","7"]}\n');
    expect((await place.run("batch", "lines.ndjson", "--yes=prod")).code).toBe(0);
  });

  test("is the value of a flag that takes one", async () => {
    const words = "notes create --issue 28 -p 7 --body=--yes=x --yes=prod -n --jq .[0].body.body".split(" ");
    expect(await place.run(...words)).toMatchObject({ code: 0, stdout: "--yes=x\n" });
  });

  test("takes no word after it", async () => {
    expect((await place.run("errors", "disable", "--yes", "prod", "-p", "7")).code).toBe(2);
    expect((await place.run(...change, "--yes=")).stderr).toContain("--yes=: missing <profile>");
  });
});
