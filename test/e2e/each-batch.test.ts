import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { requestsIn, sandboxSession } from "../support/session.ts";

// One command for many projects, many commands in one process: concurrent, recorded in a journal, with separate
// results.

let log: string[];
let admin: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  log = [];
  admin = await sandboxSession({ log: (line) => log.push(line) });
  writeFileSync(
    join(admin.home, "projects.txt"),
    "\uFEFFacme/storefront\r\n# the next is open\r\nacme/docs\r\n\r\nacme/docs\r\n",
  );
  writeFileSync(join(admin.home, "some.txt"), "acme/storefront\nno/such\nacme/docs\n");
});

const changesSent = () => requestsIn(log).filter((line) => !line.startsWith("GET "));
const lines = (...args: string[][]) => args.map((words) => JSON.stringify({ args: words })).join("\n");

describe("each", () => {
  test("one list for all, with the scope first, in any format; comments and duplicates are skipped", async () => {
    const table = await admin.run(..."each --projects-file projects.txt -- job-token get".split(" "));
    expect(table).toEqual({
      code: 0,
      stdout:
        "project\tinbound_enabled\toutbound_enabled\tfailure\nacme/storefront\ttrue\ttrue\t\nacme/docs\tfalse\ttrue\t\n",
      stderr: "2 of 2 done\n",
    });
    const json = await admin.run(
      ..."each --projects-file projects.txt -o json --fields project,name -- envs list".split(" "),
    );
    expect(JSON.parse(json.stdout)).toEqual([
      { project: "acme/storefront", name: "production" },
      { project: "acme/storefront", name: "staging/eu" },
    ]);
    const groups = await admin.run(..."each --groups-file - --no-header -- saml links list".split(" "), {
      input: "acme\n",
    });
    expect(groups.stdout.split("\n")[0]).toMatch(/^acme\tEngineering\t30\t/);
  });

  test("a failed scope is reported, the others continue, and the exit code is 9", async () => {
    const result = await admin.run(..."each --projects-file some.txt -- job-token get".split(" "));
    expect(result.code).toBe(9);
    expect(result.stdout.split("\n")).toHaveLength(5);
    expect(result.stdout).toContain(
      "no/such\t\t\tcould not get a project's job token access settings; not found, or not visible to this token",
    );
    expect(result.stderr).toContain("error: 1 of 3 failed");
  });

  test("a change asks once for all; a dry run shows every request; with a journal only the rest is run again", async () => {
    const words = "each --projects-file some.txt --journal run.journal".split(" ");
    const change = ["--", "job-token", "limit", "on"];
    const asked = await admin.run(...words, ...change);
    expect(asked).toMatchObject({ code: 2, stdout: "" });
    expect(asked.stderr).toContain(
      'this would run "job-token limit on" on 3 projects (acme/storefront, no/such, acme/docs), and needs confirmation',
    );
    const dry = await admin.run(...words, "-n", "--no-header", ...change);
    expect(dry.stdout.split("\n").map((line) => line.split("\t").slice(0, 2).join(" "))).toEqual([
      "acme/storefront PATCH",
      "no/such PATCH",
      "acme/docs PATCH",
      "",
    ]);
    requestsIn(log);
    expect((await admin.run(...words, "--yes", ...change)).code).toBe(9);
    expect(changesSent()).toHaveLength(3);
    const rest = await admin.run(...words, "-n", "--no-header", ...change);
    expect([rest.code, rest.stdout.match(/^.*\tPATCH\t/gm)]).toEqual([0, ["no/such\tPATCH\t"]]);
    const again = await admin.run(...words, "--yes", ...change);
    expect(again.stdout.split("\n").map((line) => line.split("\t").slice(0, 2).join(" "))).toEqual([
      "project status",
      "acme/storefront skipped",
      "no/such refused",
      "acme/docs skipped",
      "",
    ]);
    expect(changesSent()).toEqual(["PATCH /api/v4/projects/no%2Fsuch/job_token_scope 404"]);
    const other = await admin.run(...words, "--yes", "--", "job-token", "limit", "off");
    expect(other).toMatchObject({ code: 2, stdout: "" });
    expect(other.stderr).toContain(
      "run.journal is the journal of another run: of the command each --projects-file -- job-token limit on",
    );
  });

  test.each([
    [
      "a command without that scope",
      "each --projects-file projects.txt -- users me",
      "users me does not take a project",
    ],
    [
      "its own scope",
      "each --projects-file projects.txt -- job-token get -p 7",
      "job-token get must not have its own project",
    ],
    ["bytes", "each --projects-file projects.txt -- files cat README.md", "files cat prints bytes"],
    ["a flag of each", "each --projects-file projects.txt -- envs list -o json", "--output: give this to each"],
    [
      "another each",
      "each --projects-file projects.txt -- each --projects-file x -- users me",
      "each cannot be run by each",
    ],
    [
      "no file",
      "each -- envs list",
      "missing --projects-file, --groups-file, --projects-of, --groups-of, or --profiles",
    ],
    ["a file that is a folder", "each --projects-file . -- envs list", "is a folder"],
    ["a mistake in the command", "each --projects-file projects.txt -- envs lst", "did you mean list?"],
  ])("%s is exit 2, and nothing is sent", async (_, line, words) => {
    requestsIn(log);
    const { code, stderr } = await admin.run(...line.split(" "));
    expect({ code, sent: requestsIn(log) }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain(words);
  });
});

describe("batch", () => {
  test("one output line per input line, with its own exit code, result, and error", async () => {
    const input = `${JSON.stringify({ id: "who", args: ["users", "get", "dana.dixon"] })}\n\n${lines(["users", "get", "no.body"], ["files", "cat", "README.md", "-p", "acme/storefront"])}\n`;
    const result = await admin.run("batch", "--keep-order", "-o", "ndjson", { input });
    expect(result.code).toBe(9);
    const rows = result.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows).toMatchObject([
      { line: 1, id: "who", status: "done", exit: 0, result: { id: 4, username: "dana.dixon" }, error: null },
      { line: 3, id: null, status: "failed", exit: 3, result: null, error: { code: "not_found", exit: 3 } },
      { line: 4, id: null, status: "done", exit: 0, result: expect.stringContaining("# Storefront"), error: null },
    ]);
  });

  test("in a table, an error is its message and its cause", async () => {
    const input = lines(["users", "get", "no.body"], ["job-token", "get", "-p", "acme/nothere"]);
    const { stdout } = await admin.run("batch", "--keep-order", "-o", "table", "--no-header", { input });
    const [first = "", second = ""] = stdout.split("\n");
    expect(first).toContain("no.body");
    expect(second).toContain("could not get a project's job token access settings: not found, or not visible");
    expect(stdout).not.toContain('{"code"');
    const tsv = await admin.run("batch", "--keep-order", "--fields", "error", "--no-header", { input });
    expect(tsv.stdout).toMatch(/^\{"code":"not_found",/);
  });

  test("a change needs --yes in its line or for all; without it only that line fails", async () => {
    requestsIn(log);
    const input = lines(
      ["registry", "tags", "delete", "12", "v1", "-p", "7"],
      ["registry", "tags", "delete", "12", "v1", "-p", "7", "--yes"],
    );
    const result = await admin.run("batch", "--keep-order", "--fields", "status,exit,error.code", "--no-header", {
      input,
    });
    expect(result.stdout).toBe("failed\t2\tconfirmation_needed\ndone\t0\t\n");
    expect(changesSent()).toHaveLength(1);
  });

  test.each([
    ["not JSON", '{"args":["users","me"]}\nusers me\n', "stdin:2: the line is not JSON"],
    ["args that are not a list", '{"args":"users me"}\n', 'stdin:1: "args" must be a list of texts'],
    ["an unknown key", '{"arg":["users","me"]}\n', 'stdin:1: "arg" is not allowed here'],
    ["a mistake in the last line", `${lines(["users", "me"], ["users", "lst"])}\n`, "stdin:2: unknown command 'lst'"],
    ["a command that runs others", `${lines(["batch"])}\n`, "stdin:1: batch cannot be run by batch"],
    ["nothing", "\n\n", "stdin contains no command"],
    [
      "a second line that writes the same file",
      `${lines(...["7", "2"].map((id) => ["files", "download", "README.md", "-p", id, "-O", `${id === "7" ? "" : "./"}a.md`]))}\n`,
      "stdin:2: line 1 writes the same file: ./a.md",
    ],
  ])("%s is exit 2 with its line, and nothing is sent", async (_, input, words) => {
    requestsIn(log);
    const { code, stderr } = await admin.run("batch", { input });
    expect({ code, sent: requestsIn(log) }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain(words);
  });

  test("two runs on one journal: the second is refused", async () => {
    writeFileSync(join(admin.home, "held.journal.lock"), `${crypto.randomUUID()} 1:?@elsewhere`);
    const result = await admin.run("batch", "--journal", "held.journal", {
      input: lines(["job-token", "limit", "on", "-p", "7"]),
    });
    expect(result.code).toBe(6);
    expect(result.stderr).toContain("held.journal is in use by another run");
  });

  describe("a file that is changed between two runs with one journal", () => {
    const note = (body: string, id?: string) =>
      JSON.stringify({
        ...(id !== undefined && { id }),
        args: ["notes", "create", "--issue", "1", "-p", "acme/docs", "--body", body],
      });
    const bodies = [..."notes list --issue 1 -p acme/docs -L all -o json --jq".split(" "), "[.[].body]"];
    const failing = JSON.stringify({
      args: ["notes", "create", "--issue", "9999", "-p", "acme/docs", "--body", "lost"],
    });

    /** The bodies of the notes that the second file created after the first. */
    async function madeAfter(first: string[], second: string[]): Promise<string[]> {
      const own = await sandboxSession({ log: (line) => log.push(line) });
      const run = async (file: string[]) => {
        await own.run("batch", "--journal", "changed.journal", "-q", { input: file.join("\n") });
        requestsIn(log);
        return JSON.parse((await own.run(...bodies)).stdout) as string[];
      };
      const before = await run(first);
      const after = await run(second);
      for (const body of before) after.splice(after.indexOf(body), 1);
      return after.sort();
    }

    test.each([
      ["inserted", [note("a"), note("b")], [note("new"), note("a"), "", note("newer"), note("b")], ["new", "newer"]],
      ["removed", [note("a"), note("b"), note("c")], [note("c")], []],
      ["reordered", [note("a"), failing, note("b")], [note("b"), note("a"), failing], []],
      ["duplicated", [note("a"), note("b")], [note("a"), note("a"), note("b"), note("a")], ["a", "a"]],
      ["fewer of equal ones", [note("a"), note("a"), note("a")], [note("b"), note("a")], ["b"]],
      ["given an ID", [note("a"), note("b", "1")], [note("a", "1"), note("b", "1"), note("b", "2")], ["a", "b"]],
    ])("%s: nothing is done twice, and new lines are run", async (_, first, second, expected) => {
      expect(await madeAfter(first, second)).toEqual(expected);
    });

    test("the default project is part of the line's identity", async () => {
      const own = await sandboxSession({ log: (line) => log.push(line) });
      const input = lines(["job-token", "limit", "on"], ["job-token", "limit", "on", "-p", "acme/docs"]);
      requestsIn(log);
      for (const project of ["acme/docs", "acme/storefront", "acme/storefront"]) {
        await own.run("batch", "--journal", "places.journal", "--yes", "-q", {
          input,
          env: { FORGECTL_PROJECT: project },
        });
      }
      expect(changesSent().map((line) => line.split(" ")[1])).toEqual([
        "/api/v4/projects/acme%2Fdocs/job_token_scope",
        "/api/v4/projects/acme%2Fdocs/job_token_scope",
        "/api/v4/projects/acme%2Fstorefront/job_token_scope",
      ]);
    });
  });

  test("killed at any moment and run again with its journal, each line is done once", async () => {
    const slow = await sandboxSession({ log: (line) => log.push(line), latencyMs: 15 });
    const names = Array.from({ length: 24 }, (_, index) => `note ${index}`);
    const input = lines(...names.map((body) => ["notes", "create", "--issue", "1", "-p", "acme/docs", "--body", body]));
    writeFileSync(join(slow.home, "notes.ndjson"), input);
    const words = ["batch", "notes.ndjson", "--journal", "notes.journal", "--concurrency", "2", "-q"];
    for (const afterMs of [260, 420, 350]) await slow.run(...words, { kill: { signal: "SIGKILL", afterMs } });
    const last = await slow.run(...words, "--fields", "status,args", "-o", "json");
    const unknown = JSON.parse(last.stdout).filter((row: { status: string }) => row.status === "unknown");
    const notes = await slow.run(
      ..."notes list --issue 1 -p acme/docs -L all -o json --jq".split(" "),
      "[.[].body]",
      "-o",
      "json",
    );
    const bodies: string[] = JSON.parse(notes.stdout).flat();
    const made = names.filter((name) => bodies.includes(name));
    // None twice; any missing one is among those whose outcome was unknown to the last run.
    expect(bodies.filter((body) => names.includes(body))).toHaveLength(made.length);
    const open = unknown.map((row: { args: string[] }) => row.args.at(-1));
    expect(names.filter((name) => !made.includes(name) && !open.includes(name))).toEqual([]);
    const ends = readFileSync(join(slow.home, "notes.journal"), "utf8").match(/"status":"done"/g) ?? [];
    expect(ends.length).toBeGreaterThan(10);
  });
});
