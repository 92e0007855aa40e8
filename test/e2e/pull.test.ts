import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { requestsIn, sandboxSession } from "../support/session.ts";

// A whole export in a folder: scheduled, awaited, downloaded concurrently, checked, and resumed.

/** An administrator of an own instance: tests that wait for exports run at the same time. */
async function administrator() {
  const log: string[] = [];
  const user = await sandboxSession({ log: (line) => log.push(line) });
  return { ...user, log, run: (line: string) => user.run(...line.split(" ")) };
}

let admin: Awaited<ReturnType<typeof administrator>>;
let log: string[];
beforeAll(async () => {
  admin = await administrator();
  ({ log } = admin);
});

const run = (line: string) => admin.run(line);
const downloads = () => requestsIn(log).filter((line) => line.includes("/download"));
const rowsOf = (stdout: string) => JSON.parse(stdout) as Record<string, unknown>[];
const at = (...names: string[]) => join(admin.home, ...names);
const manifestOf = (folder: string) => JSON.parse(readFileSync(at(folder, "manifest.json"), "utf8"));

describe("relations pull", () => {
  test.concurrent("a batched export: a file per batch, with lines and checksum in the manifest", async () => {
    requestsIn(log);
    const { code, stdout, stderr } = await run("relations pull whole -p 7 --batched -o json");
    const rows = rowsOf(stdout);
    expect({ code, stderr }).toEqual({ code: 0, stderr: `${rows.length} of ${rows.length} done\n` });
    const empty = rows.filter(({ status }) => status === "empty");
    expect(empty.find(({ relation }) => relation === "releases")).toMatchObject({ file: null });
    const fetched = rows.filter(({ status }) => status === "fetched");
    expect(fetched).toHaveLength(rows.length - empty.length);
    for (const { file, lines, size, sha256 } of fetched) {
      const bytes = readFileSync(at("whole", String(file)));
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
      expect(bytes.length).toBe(size);
      if (String(file).endsWith(".tar.gz")) expect(lines).toBeNull();
      else expect(gunzipSync(bytes).toString().trimEnd().split("\n")).toHaveLength(Number(lines));
    }
    expect(readdirSync(at("whole")).sort()).toEqual([...fetched.map(({ file }) => file), "manifest.json"].sort());
    expect(statSync(at("whole", "manifest.json")).mode & 0o777).toBe(0o600);
    const sums = manifestOf("whole").pieces.map(({ sha256 }: { sha256: string }) => sha256);
    expect(new Set(sums)).toEqual(new Set([null, ...fetched.map(({ sha256 }) => sha256)]));
    const sent = requestsIn(log);
    expect(sent.filter((line) => line.startsWith("POST"))).toHaveLength(1);
    expect(sent.filter((line) => line.includes("/download"))).toHaveLength(fetched.length);
  });

  test.concurrent("a relation that the instance could not export is a row with its error, and the hint exports again", async () => {
    const { run, log } = await administrator();
    const first = await run("relations pull broken -p 4 -o json");
    expect(first.code).toBe(9);
    const error = { message: "1 of 27 failed", code: "partial", hint: "forgectl relations pull broken -p 4 --force" };
    expect(JSON.parse(first.stderr)).toMatchObject({ error });
    expect(rowsOf(first.stdout).filter(({ status }) => status !== "fetched")).toMatchObject([
      { relation: "merge_requests", status: "failed", error: "Timed out while reading merge_requests", file: null },
    ]);
    requestsIn(log);
    const second = await run("relations pull broken -p 4 -o json");
    expect([second.code, requestsIn(log)]).toEqual([9, []]);
    const anew = await run("relations pull broken -p 4 --force -o json");
    expect(anew.code).toBe(9);
    expect(requestsIn(log).filter((line) => line.startsWith("POST"))).toHaveLength(1);
  });

  test.concurrent("--latest schedules nothing, and replaces files of an earlier export", async () => {
    const { run, log, home } = await administrator();
    const at = (...names: string[]) => join(home, ...names);
    await run("relations export -p 6 --batched --wait");
    requestsIn(log);
    expect((await run("relations pull latest -p 6 --latest")).code).toBe(0);
    expect(requestsIn(log).filter((line) => line.startsWith("POST"))).toEqual([]);
    const before = readdirSync(at("latest"));
    expect(before).toContain("labels-1.ndjson.gz");
    await run("relations export -p 6 --wait");
    const newer = await run("relations pull latest -p 6");
    expect(newer.code).toBe(0);
    rmSync(at("latest", "labels-1.ndjson.gz"));
    const mixed = await run("relations pull latest -p 6");
    expect([mixed.code, mixed.stdout]).toEqual([6, ""]);
    expect(mixed.stderr).toBe(
      "error: project 6 was exported again since latest was started\n" +
        "cause: an instance keeps only the last export, and a folder holds one export\n" +
        "try:   forgectl relations pull latest -p 6 --latest\n",
    );
    expect((await run("relations pull latest -p 6 --latest")).code).toBe(0);
    expect(readdirSync(at("latest"))).toContain("labels.ndjson.gz");
    expect(readdirSync(at("latest")).filter((name) => /-\d+\.ndjson/.test(name))).toEqual([]);
  });

  test.concurrent("a timeout: exit 8, and the same command continues to wait for the same export", async () => {
    const { run, log } = await administrator();
    const late = await run("relations pull late -p 5 --wait-timeout 1");
    expect(late.code).toBe(8);
    expect(late.stderr).toContain("try:   forgectl relations pull late -p 5\n");
    requestsIn(log);
    expect((await run("relations pull late -p 5")).code).toBe(0);
    expect(requestsIn(log).filter((line) => line.startsWith("POST"))).toEqual([]);
  });

  test("run again, existing files are not downloaded again; missing or damaged ones are", async () => {
    requestsIn(log);
    const again = await run("relations pull whole -p 7 --batched -o json");
    expect(again.stderr).toBe("whole is complete; --force replaces it with a new export\n");
    expect(new Set(rowsOf(again.stdout).map(({ status }) => status))).toEqual(new Set(["kept", "empty"]));
    expect(requestsIn(log)).toEqual([]);

    const labels = readFileSync(at("whole", "labels-1.ndjson.gz"));
    writeFileSync(at("whole", "labels-1.ndjson.gz"), Buffer.alloc(labels.length));
    rmSync(at("whole", "issues-2.ndjson.gz"));
    const plan = await run("relations pull whole -p 7 --batched -n -o json");
    expect(rowsOf(plan.stdout).map(({ file }) => file)).toEqual([
      "whole/issues-2.ndjson.gz",
      "whole/labels-1.ndjson.gz",
    ]);
    expect(downloads()).toEqual([]);
    const repaired = await run("relations pull whole -p 7 --batched -o json");
    const fetched = rowsOf(repaired.stdout).filter(({ status }) => status === "fetched");
    expect(fetched.map(({ file }) => file).sort()).toEqual(["issues-2.ndjson.gz", "labels-1.ndjson.gz"]);
    expect(readFileSync(at("whole", "labels-1.ndjson.gz"))).toEqual(labels);
    expect(downloads()).toHaveLength(2);
  });

  test("a dry run without a folder shows the export that would be scheduled, and creates nothing", async () => {
    requestsIn(log);
    const { stdout } = await run("relations pull planned -p 3 --batched -n -o json");
    const url = `${admin.sandbox.url}/api/v4/projects/3/export_relations`;
    expect(JSON.parse(stdout)).toEqual([{ method: "POST", url, body: { batched: true } }]);
    expect(requestsIn(log)).toEqual([]);
    expect(readdirSync(admin.home)).not.toContain("planned");
  });

  test("-q prints only the rows", async () => {
    const { code, stderr } = await run("relations pull whole -p 7 --batched -q");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});

describe("the folder", () => {
  test("may be a link to one; other files in it are kept", async () => {
    mkdirSync(at("real"));
    writeFileSync(at("real", "README"), "notes");
    symlinkSync("real", at("link"));
    expect((await run("relations pull link -p 3 --latest")).code).toBe(0);
    expect(readdirSync(at("real"))).toEqual(expect.arrayContaining(["README", "issues.ndjson.gz", "manifest.json"]));
  });

  test("files not in the manifest are replaced with --force only; a link among them is not written through", async () => {
    mkdirSync(at("foreign"));
    writeFileSync(at("precious"), "precious");
    symlinkSync("../precious", at("foreign", "issues.ndjson.gz"));
    requestsIn(log);
    const refused = await run("relations pull foreign -p 3 --latest");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      "error: foreign/issues.ndjson.gz exists, but no manifest.json says which export it belongs to\n" +
        "try:   start over with forgectl relations pull foreign -p 3 --force, or name another folder\n",
    );
    expect(requestsIn(log)).toEqual([]);
    expect((await run("relations pull foreign -p 3 --latest --force")).code).toBe(0);
    expect(readFileSync(at("precious"), "utf8")).toBe("precious");
    expect(gunzipSync(readFileSync(at("foreign", "issues.ndjson.gz"))).length).toBeGreaterThan(0);
  });

  test.each([
    ["not JSON", "{"],
    ["another program's", '{"name": "site", "icons": []}'],
    [
      "leading out of the folder",
      JSON.stringify({
        ...{ manifest: 1, instance: "x", project: "3", after: null, earlier: [] },
        pieces: [
          {
            ...{ relation: "x", batch: null, file: "../precious", exported_at: "", objects: null },
            ...{ status: "done", size: 1, sha256: "", lines: null, error: null },
          },
        ],
      }),
    ],
  ])("a manifest that is %s is refused, and --force starts again", async (_, text) => {
    rmSync(at("damaged"), { recursive: true, force: true });
    mkdirSync(at("damaged"));
    writeFileSync(at("damaged", "manifest.json"), text);
    requestsIn(log);
    const refused = await run("relations pull damaged -p 3 --latest");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("damaged/manifest.json is damaged, or not a manifest of relations pull");
    expect(requestsIn(log)).toEqual([]);
    expect((await run("relations pull damaged -p 3 --latest --force")).code).toBe(0);
    expect(manifestOf("damaged").project).toBe("3");
  });

  test("one of another project or instance is refused", async () => {
    const other = await run("relations pull whole -p 3");
    expect(other.code).toBe(2);
    expect(other.stderr).toContain("whole contains an export of another project: 7");
    const elsewhere = await run("relations pull whole -p 7 --base-url https://forge.example.com");
    expect(elsewhere.code).toBe(2);
    expect(elsewhere.stderr).toContain(`whole contains an export of another instance: ${admin.sandbox.url}`);
  });

  test.each([
    ["relations pull precious -p 3", "precious is not a folder"],
    ["relations pull precious/such -p 3", "precious is not a folder"],
    ["relations pull /proc/forgectl -p 3", "/proc/forgectl cannot be written"],
    ["relations pull -p 3", "missing <dir>"],
    ["relations pull x -p 3 --wait-timeout 0", "--wait-timeout: must be a whole number of at least 1"],
  ])("%s is refused before anything is sent", async (line, message) => {
    requestsIn(log);
    const { code, stdout, stderr } = await run(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(requestsIn(log)).toEqual([]);
  });

  test.skipIf(process.getuid?.() === 0)("one that cannot be written is refused before anything is sent", async () => {
    mkdirSync(at("closed"));
    chmodSync(at("closed"), 0o500);
    requestsIn(log);
    const { code, stderr } = await run("relations pull closed -p 3");
    expect(code).toBe(2);
    expect(stderr).toContain("closed cannot be written");
    expect(requestsIn(log)).toEqual([]);
  });
});
