import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { json, signedIn } from "../support/answering.ts";

/** A project without an export, whose relations the instance begins one by one; until when the second is missing. */
async function exporting(isLate: (state: { begun: number; isDownloaded: boolean }) => boolean) {
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
    return answer([relation("labels"), ...(isLate(state) ? [] : [relation("issues")])]);
  });
}

const folder = () => join(mkdtempSync(join(tmpdir(), "forgectl-pull-")), "export");
const files = (dir: string) => readdirSync(dir).filter((name) => name.endsWith(".gz"));

test("a first export is not whole because no relation of it is in progress", { timeout: 90_000 }, async () => {
  const there = await exporting(({ begun }) => Date.now() - begun < 1500);
  const dir = folder();
  const pulled = await there.run("relations", "pull", dir, "-p", "7");
  expect([pulled.code, files(dir).toSorted(), pulled.stderr]).toEqual([
    0,
    ["issues.ndjson.gz", "labels.ndjson.gz"],
    expect.stringContaining("2 of 2 done"),
  ]);
});

test("a relation that begins during the downloads is missing from the folder: exit 6", {
  timeout: 90_000,
}, async () => {
  const there = await exporting(({ isDownloaded }) => !isDownloaded);
  const dir = folder();
  const pulled = await there.run("relations", "pull", dir, "-p", "7");
  expect([pulled.code, files(dir)]).toEqual([6, ["labels.ndjson.gz"]]);
  expect(pulled.stderr).toContain("cause: the instance began them later: issues\n");
  expect(pulled.stderr).toContain(`try:   forgectl relations pull ${dir} -p 7 --latest\n`);
  const latest = await there.run("relations", "pull", dir, "-p", "7", "--latest");
  expect([latest.code, files(dir).toSorted()]).toEqual([0, ["issues.ndjson.gz", "labels.ndjson.gz"]]);
});

test("the line that updates a folder names --latest once, typed or not", { timeout: 90_000 }, async () => {
  const there = await exporting(({ isDownloaded }) => !isDownloaded);
  const dir = folder();
  await there.run("relations", "export", "-p", "7");
  const pulled = await there.run("relations", "pull", dir, "-p", "7", "--latest");
  expect(pulled.code).toBe(6);
  expect(pulled.stderr).toContain(`try:   forgectl relations pull ${dir} -p 7 --latest\n`);
});
