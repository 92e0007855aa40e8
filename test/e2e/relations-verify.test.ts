import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { requestsIn, type Session, sandboxSession, session } from "../support/session.ts";

// A pulled folder is checked without a token and without a network.

const log: string[] = [];
let admin: Awaited<ReturnType<typeof sandboxSession>>;
let stranger: Session;
beforeAll(async () => {
  admin = await sandboxSession({ log: (line) => log.push(line) });
  stranger = session({ FORGECTL_BASE_URL: "http://127.0.0.1:9" });
  expect((await admin.run(..."relations pull whole -p 7 --batched".split(" "))).code).toBe(0);
  requestsIn(log);
});

const at = (name: string) => join(admin.home, "whole", name);
const verify = (...more: string[]) => stranger.run("relations", "verify", "whole", ...more, { cwd: admin.home });

test("every file of the manifest is intact, and nothing is sent", async () => {
  const { code, stdout, stderr } = await verify("-o", "json");
  const rows = JSON.parse(stdout);
  const { pieces } = JSON.parse(readFileSync(at("manifest.json"), "utf8"));
  const files = pieces.filter(({ file }: { file: string | null }) => file !== null);
  expect(rows).toEqual(
    files.map(({ file, relation }: { file: string; relation: string }) => ({
      ...{ folder: ".", file, status: "intact", error: null, relation },
    })),
  );
  expect({ code, stderr, sent: requestsIn(log) }).toEqual({
    code: 0,
    stderr: `all of ${files.length} files are intact\n`,
    sent: [],
  });
});

test("damaged, missing, and extra files are named, and the exit code is 12", async () => {
  const labels = readFileSync(at("labels-1.ndjson.gz"));
  labels[labels.length - 1] = (labels[labels.length - 1] ?? 0) ^ 1;
  writeFileSync(at("labels-1.ndjson.gz"), labels);
  appendFileSync(at("issues-1.ndjson.gz"), "x");
  rmSync(at("issues-2.ndjson.gz"));
  writeFileSync(at("notes.txt"), "mine");
  const { code, stdout, stderr } = await verify("--no-header");
  const rows = stdout
    .trimEnd()
    .split("\n")
    .filter((line) => !line.includes("\tintact"));
  expect(rows.map((row) => row.replace(/has \d+ bytes, not \d+/, "has N bytes, not M"))).toEqual([
    "issues-1.ndjson.gz\tdamaged\tit has N bytes, not M\tissues",
    "issues-2.ndjson.gz\tmissing\tthere is no such file\tissues",
    "labels-1.ndjson.gz\tdamaged\tits SHA-256 differs\tlabels",
    "notes.txt\textra",
  ]);
  expect(code).toBe(12);
  expect(stderr).toMatch(/^error: 3 of \d+ files are damaged or missing\ntry: +forgectl relations pull whole -p 7\n$/);
});

test("a relation that the instance could not export is a row", async () => {
  const whole = readFileSync(at("manifest.json"), "utf8");
  const manifest = JSON.parse(whole);
  const failed = { relation: "boards", batch: null, file: null, status: "failed", error: "timed out" };
  const piece = { ...manifest.pieces[0], size: null, sha256: null, objects: null, lines: null, ...failed };
  writeFileSync(at("manifest.json"), JSON.stringify({ ...manifest, pieces: [...manifest.pieces, piece] }));
  const { stdout } = await verify("-o", "json");
  writeFileSync(at("manifest.json"), JSON.stringify({ ...manifest, pieces: [piece] }));
  const none = await verify();
  writeFileSync(at("manifest.json"), whole);
  expect(none.stderr).toBe("all of 0 files are intact; the instance could not export 1 relation\n");
  const rows = JSON.parse(stdout).filter(({ status }: { status: string }) => status === "not_exported");
  expect(rows).toEqual([{ folder: ".", file: null, status: "not_exported", error: "timed out", relation: "boards" }]);
});

test("an extra file alone is exit 0; a folder without a manifest, or none, is exit 2", async () => {
  expect((await admin.run(..."relations pull whole -p 7 --batched".split(" "))).code).toBe(0);
  const { code, stdout } = await verify();
  expect([code, stdout.includes("notes.txt\textra")]).toEqual([0, true]);
  rmSync(at("manifest.json"));
  expect(await verify()).toMatchObject({ code: 2, stderr: expect.stringContaining("whole has no manifest.json") });
  const none = await stranger.run("relations", "verify", "nothing");
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("nothing is not a folder") });
});

test("the folders of many pulls are checked at once, and what is missing is found", async () => {
  const words = "each --projects-of acme --match acme/* --yes -- relations pull exports/{path}";
  expect((await admin.run(...words.split(" "))).code).toBe(0);
  requestsIn(log);
  const pulled = (...path: string[]) => join(admin.home, "exports", "acme", ...path);
  const check = (...more: string[]) => stranger.run("relations", "verify", "exports", ...more, { cwd: admin.home });
  const whole = await check("-o", "json");
  const rows: { folder: string; status: string }[] = JSON.parse(whole.stdout);
  const folders = ["acme/docs", "acme/storefront", "acme/website"];
  expect([...new Set(rows.map(({ folder }) => folder))]).toEqual(folders);
  expect([...new Set(rows.map(({ status }) => status))]).toEqual(["intact"]);
  expect(whole).toMatchObject({ code: 0, stderr: `all of ${rows.length} files in 3 folders are intact\n` });

  rmSync(pulled("docs", "manifest.json"));
  rmSync(pulled("storefront", "issues.ndjson.gz"));
  mkdirSync(pulled("unpulled"));
  symlinkSync(pulled("website"), join(admin.home, "exports", "link"));
  const unfinished = { ...JSON.parse(readFileSync(pulled("website", "manifest.json"), "utf8")), pieces: null };
  writeFileSync(pulled("website", "manifest.json"), JSON.stringify(unfinished));
  const damaged = await check("--no-header");
  const lines = damaged.stdout.trimEnd().split("\n");
  expect(lines.filter((line) => !/\t(?:intact|extra)\b/.test(line))).toEqual([
    "acme/docs\tmanifest.json\tmissing\tnothing says which export the files in this folder belong to\t",
    "acme/storefront\tissues.ndjson.gz\tmissing\tthere is no such file\tissues",
    "acme/unpulled\tmanifest.json\tmissing\tthe folder is empty: no export was pulled into it\t",
    "acme/website\t\tmissing\tthe export was not finished when relations pull ended",
  ]);
  expect(lines).toContain(".\tlink\textra\t\t");
  expect(damaged.code).toBe(12);
  expect(damaged.stderr).toMatch(/^error: 4 of \d+ files are damaged or missing\n/);
  expect(damaged.stderr).toContain("cause: in acme/docs, acme/storefront, acme/unpulled, acme/website\n");
  expect(damaged.stderr).toContain("forgectl relations pull exports/acme/storefront -p acme/storefront");
  writeFileSync(pulled("website", "manifest.json"), "{}");
  expect((await check()).stdout).toContain("acme/website\tmanifest.json\tdamaged\t");
  expect(requestsIn(log)).toEqual([]);
});
