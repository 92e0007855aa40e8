import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { type RunOptions, requestsIn, sandboxSession } from "../support/session.ts";

/** An administrator of an own instance: tests that wait for exports run at the same time. */
async function administrator() {
  const log: string[] = [];
  const user = await sandboxSession({ log: (line) => log.push(line) });
  const run = (line: string, options: RunOptions = {}) => user.run(...line.split(" "), options);
  return { ...user, run, requests: () => requestsIn(log) };
}

let admin: Awaited<ReturnType<typeof administrator>>;
beforeAll(async () => {
  admin = await administrator();
});

const run = (line: string) => admin.run(line);
const requests = () => admin.requests();
const base = "/api/v4/projects/3/export_relations";

describe.concurrent("a wait for an export", () => {
  test("of relations export --wait checks before, waits for the new one, and shows the result", async () => {
    const { run, requests } = await administrator();
    const { code, stdout, stderr } = await run("relations export -p 7 --batched --wait -o json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const entries = JSON.parse(stdout);
    expect(entries.length).toBeGreaterThan(5);
    const files = ["design", "lfs_objects", "repository", "uploads"];
    for (const entry of entries) {
      expect(entry).toMatchObject({ status: 1, batched: !files.includes(entry.relation), error: null });
    }
    const [before, post, ...looks] = requests();
    expect([before, post]).toEqual([
      "GET /api/v4/projects/7/export_relations/status 200",
      "POST /api/v4/projects/7/export_relations 202",
    ]);
    expect(looks.length).toBeGreaterThan(1);
  });

  test("fails if a relation failed, with its error", async () => {
    const { run } = await administrator();
    const { code, stdout, stderr } = await run("relations export -p 4 --wait");
    expect({ code, stdout, stderr }).toEqual({
      code: 9,
      stdout: "",
      stderr:
        "error: 1 of 27 relations could not be exported\n" +
        "field: merge_requests: Timed out while reading merge_requests\n" +
        "try:   forgectl relations export -p 4 --wait\n",
    });
  });

  test("that times out is exit 8 with the command to resume, which ignores the earlier export", async () => {
    const { run } = await administrator();
    expect((await run("relations export -p 6 --wait")).code).toBe(0);
    const { stdout } = await run("relations status -p 6 --jq [.[].updated_at]|max");
    const { code, stderr } = await run("relations export -p 6 --wait --wait-timeout 1");
    expect(code).toBe(8);
    expect(stderr).toBe(
      "error: not ready after 1 second (exporting relations of project 6)\n" +
        `try:   forgectl relations status -p 6 --wait --since ${stdout.trim()}\n`,
    );
    const [, line = ""] = /try: {3}forgectl (.*)\n/.exec(stderr) ?? [];
    const watched = await run(`${line} --jq all(.[];.status==1)`);
    expect(watched).toEqual({ code: 0, stdout: "true\n", stderr: "" });
  });

  test("of relations status shows statuses as words in tables, as numbers to programs", async () => {
    const { run } = await administrator();
    await run("relations export -p 4 --wait");
    const { stdout: table } = await run("relations status -p 4 -o table --fields relation,status,error --no-header");
    expect(table).toMatch(/^issues +finished +-$/m);
    expect(table).toMatch(/^merge_requests +failed +Timed out while reading merge_requests$/m);
    expect((await run("relations status -p 4 --relation issues --fields status -o ndjson")).stdout).toBe(
      '{"status":1}\n',
    );
    const watched = await run("relations status -p 4 --watch");
    expect([watched.code, watched.stderr.split("\n")[0]]).toEqual([
      9,
      "error: 1 of 27 relations could not be exported",
    ]);
    expect((await run("relations status -p 4 --wait --relation issues")).code).toBe(0);
    const { stdout } = await run("relations status -p 4 --jq [.[].updated_at]|sort[-2]");
    const since = stdout.trim();
    // Those not newer than --since are omitted.
    expect((await run(`relations status -p 4 --since ${since} --jq .[].relation`)).stdout).toBe("user_contributions\n");
  });

  test("comes before downloads, saved under the relation's name, whole or by batch", async () => {
    const { run, home } = await administrator();
    const cwd = join(home, "files");
    mkdirSync(cwd);
    const linesOf = (file: string) =>
      gunzipSync(readFileSync(join(cwd, file)))
        .toString()
        .trimEnd()
        .split("\n");
    await run("relations export -p 7 --wait");
    const whole = await run("relations download issues -p 7 --fields file --no-header", { cwd });
    expect([whole.code, whole.stdout]).toEqual([0, "issues.ndjson.gz\n"]);
    await run("relations export -p 7 --batched --wait");
    for (const number of [1, 2, 3]) {
      const line = `relations download issues -p 7 --batched --batch-number ${number}`;
      expect((await run(line, { cwd })).code).toBe(0);
    }
    expect(readdirSync(cwd)).toEqual([
      "issues-1.ndjson.gz",
      "issues-2.ndjson.gz",
      "issues-3.ndjson.gz",
      "issues.ndjson.gz",
    ]);
    const batches = [1, 2, 3].flatMap((number) => linesOf(`issues-${number}.ndjson.gz`));
    expect(batches).toEqual(linesOf("issues.ndjson.gz"));
  });
});

describe("relations export", () => {
  test("without --wait says what it scheduled and how to wait for it", async () => {
    const { stdout: last } = await run("relations status -p 3 --jq [.[].updated_at]|max");
    requests();
    expect(await run("relations export -p 3")).toEqual({
      code: 0,
      stdout: "project\tbatched\tstatus\tmessage\n3\tfalse\tscheduled\t202 Accepted\n",
      stderr: `scheduled; forgectl relations status -p 3 --wait --since ${last.trim()} waits for it\n`,
    });
    expect(requests()).toEqual([`GET ${base}/status 200`, `POST ${base} 202`]);
  });

  test("a dry run shows the request", async () => {
    requests();
    const { stdout } = await run("relations export -p 3 --batched --wait --dry-run -o json");
    expect(JSON.parse(stdout)).toEqual([
      { method: "POST", url: `${admin.sandbox.url}${base}`, body: { batched: true } },
    ]);
    expect(requests()).toEqual([]);
  });
});

describe("relations status", () => {
  test("is empty if nothing was ever exported, also with --watch", async () => {
    expect(await run("relations status -p 12 --watch -o json")).toEqual({ code: 0, stdout: "[]\n", stderr: "" });
    expect((await run("relations status -p 12 --relation issues")).code).toBe(3);
  });
});

describe("relations download", () => {
  test("a name with .. stays in the folder", async () => {
    const { code, stderr } = await run("relations download ../issues -p 7");
    expect(code).toBe(3);
    expect(stderr).toContain("download?relation=..%2Fissues");
    expect(readdirSync(join(admin.home, ".."))).not.toContain("issues.ndjson.gz");
  });

  test.each([
    ["relations download issues -p 7 --batched", "--batched needs --batch-number"],
    ["relations download issues -p 7 --batch-number 1", "--batch-number needs --batched"],
    [
      "relations download issues -p 7 --batched --batch-number 0",
      "--batch-number: must be a whole number of at least 1",
    ],
    ["relations download -p 7", "missing <relation>"],
    ["relations export -p 7 --wait-timeout 5", "--wait-timeout needs --wait"],
    ["relations status -p 7 --wait-timeout 5", "--wait-timeout needs --wait"],
    ["relations status -p 7 --since tomorrow", "--since: must be a time such as"],
  ])("%s is refused before anything is sent", async (line, message) => {
    requests();
    const { code, stdout, stderr } = await run(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(requests()).toEqual([]);
  });
});

test("relations export is requested where the statuses cannot be read: they only date the line that waits", async () => {
  const failing = await sandboxSession({ faults: "GET /projects/7/export_relations/status=500*9" });
  const { code, stderr } = await failing.run("relations", "export", "-p", "7");
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/ relations status -p 7 --wait --since \S+Z waits for it\n$/),
  ]);
});
