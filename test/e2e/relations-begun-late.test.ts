import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { json, signedIn } from "../support/answering.ts";
import { exporting, usualRelations, wholeExport } from "../support/exporting.ts";

/** A project without an export; of a new one, a relation is missing while `isLate`. */
async function beginningLate(isLate: (state: { begun: number; isDownloaded: boolean }) => boolean) {
  const state = { begun: 0, isDownloaded: false };
  const content = gzipSync('{"title":"a"}\n');
  const relation = (name: string) => ({
    ...{ relation: name, status: 1, error: null, batched: false, batches_count: 0 },
    updated_at: new Date(state.begun).toISOString(),
  });
  return signedIn((request, response, origin) => {
    const answer = (value: unknown) => json(200, JSON.stringify(value))(request, response, origin);
    if (request.method === "POST") {
      state.begun = Date.now();
      return answer({ message: "202 Accepted" });
    }
    if (request.url?.includes("/download")) {
      state.isDownloaded = true;
      return response.writeHead(200, { "content-length": content.length }).end(content);
    }
    if (state.begun === 0) return answer([]);
    return answer([...usualRelations, ...(isLate(state) ? [] : ["push_rule"])].map(relation));
  });
}

const folder = () => join(mkdtempSync(join(tmpdir(), "forgectl-pull-")), "export");
const files = (dir: string) => readdirSync(dir).filter((name) => name.endsWith(".gz"));

test.concurrent("a first export is not whole because no relation of it is in progress", {
  timeout: 90_000,
}, async () => {
  const there = await beginningLate(({ begun }) => Date.now() - begun < 1500);
  const dir = folder();
  const pulled = await there.run("relations", "pull", dir, "-p", "7");
  expect([pulled.code, files(dir).toSorted(), pulled.stderr]).toEqual([
    0,
    expect.arrayContaining(["push_rule.ndjson.gz", "labels.ndjson.gz"]),
    expect.stringContaining("28 of 28 done"),
  ]);
});

test.concurrent("a relation that begins during the downloads is missing from the folder: exit 6", {
  timeout: 90_000,
}, async () => {
  const there = await beginningLate(({ isDownloaded }) => !isDownloaded);
  const dir = folder();
  const pulled = await there.run("relations", "pull", dir, "-p", "7");
  expect([pulled.code, files(dir)]).toEqual([6, expect.not.arrayContaining(["push_rule.ndjson.gz"])]);
  expect(pulled.stderr).toContain("cause: the instance began them later: push_rule\n");
  expect(pulled.stderr).toContain(`try:   forgectl relations pull ${dir} -p 7 --latest\n`);
  const latest = await there.run("relations", "pull", dir, "-p", "7", "--latest");
  expect([latest.code, files(dir).toSorted()]).toEqual([
    0,
    expect.arrayContaining(["push_rule.ndjson.gz", "labels.ndjson.gz"]),
  ]);
});

/** A project with an export of before, if any; a new one has some relations at once, and the others at `untilMs`. */
async function halfExported({ untilMs, before }: { untilMs: number; before: string | undefined }) {
  const user = await exporting(before === undefined ? [] : wholeExport(before));
  user.state.other = (request) => {
    if (request.method !== "POST") return false;
    const old = before === undefined ? [] : wholeExport(before);
    user.state.relations = [...wholeExport(new Date().toISOString()).slice(0, 13), ...old.slice(13)];
    setTimeout(() => {
      const late = wholeExport(new Date().toISOString()).slice(13);
      user.state.relations = [...user.state.relations.slice(0, 13), ...late];
    }, untilMs);
    return false;
  };
  return user;
}

test.concurrent.each([undefined, "2026-11-01T08:00:00.000Z"])(
  "--latest waits for relations that are to begin, after %s",
  {
    timeout: 120_000,
  },
  async (before) => {
    const { run, home } = await halfExported({ untilMs: 5000, before });
    const dir = join(home, "out");
    if (before !== undefined) {
      expect((await run("relations", "pull", dir, "-p", "7", "--latest")).code).toBe(0);
    }
    expect((await run("relations", "export", "-p", "7")).code).toBe(0);
    const began = Date.now();
    const pulled = await run("relations", "pull", dir, "-p", "7", "--latest", "-o", "json");
    expect([pulled.code, pulled.stderr], pulled.stderr).toEqual([0, expect.stringContaining("27 of 27 done")]);
    for (const { relation, exported_at } of JSON.parse(pulled.stdout)) {
      expect([relation, Date.parse(exported_at) > began - 10_000]).toEqual([relation, true]);
    }
  },
);

test.concurrent("the line that updates a folder names --latest once, typed or not", { timeout: 90_000 }, async () => {
  const there = await beginningLate(({ isDownloaded }) => !isDownloaded);
  const dir = folder();
  await there.run("relations", "export", "-p", "7");
  const pulled = await there.run("relations", "pull", dir, "-p", "7", "--latest");
  expect(pulled.code).toBe(6);
  expect(pulled.stderr).toContain(`try:   forgectl relations pull ${dir} -p 7 --latest\n`);
});
