import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Failure } from "../../../src/base/errors.ts";
import { nodeArchives } from "../../../src/node/archives.ts";
import { chanceOf, oneOf } from "../../support/chance.ts";
import { zip } from "../../support/zip.ts";

// Archives with some bytes changed, cut, doubled, or exchanged. Seeded, so that a failure can be reproduced:
// FORGECTL_FUZZ=20000 makes more of them, FORGECTL_FUZZ_SEED others.

const count = Number(process.env.FORGECTL_FUZZ ?? 250);
const seed = Number(process.env.FORGECTL_FUZZ_SEED ?? 20_261_121);
const timeoutMs = 10_000;

const whole = [
  zip([
    { name: "site/", mode: 0o040755 },
    { name: "site/index.html", content: "<p>hello" },
    { name: "site/link", content: "index.html", mode: 0o120777 },
    { name: "a/b/c", content: "x".repeat(5000) },
    { name: "empty", content: "" },
  ]),
  // Larger than one read.
  zip([
    { name: "large", content: Buffer.alloc(400_000, "0123456789") },
    { name: "small", content: "small" },
  ]),
  zip(Array.from({ length: 60 }, (_, index) => ({ name: `d${index % 4}/f${index}`, content: `${index}` }))),
];

/** Boundary values of lengths, offsets, and counts. */
const limits = [0, 1, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff];

function damaged(archive: Buffer, chance: () => number): Buffer {
  let bytes = Buffer.from(archive);
  const at = () => Math.floor(chance() * Math.max(1, bytes.length));
  // The directory is at the end: half of the damage is done there.
  const place = () => (chance() < 0.5 ? at() : Math.max(0, bytes.length - 1 - Math.floor(chance() * 400)));
  for (let left = 1 + Math.floor(chance() * 4); left > 0; left--) {
    const from = place();
    const kind = Math.floor(chance() * 5);
    if (kind === 0) bytes[from] = Math.floor(chance() * 256);
    else if (kind === 1 && from + 4 <= bytes.length) bytes.writeUInt32LE(oneOf(limits, chance), from);
    else if (kind === 2 && from + 2 <= bytes.length) bytes.writeUInt16LE(oneOf(limits, chance) & 0xffff, from);
    else if (kind === 3) bytes = chance() < 0.2 ? bytes.subarray(0, from) : Buffer.from(bytes);
    else bytes = Buffer.concat([bytes.subarray(0, from), bytes.subarray(at(), at()), bytes.subarray(from)]);
  }
  return bytes;
}

test("a damaged archive is unpacked completely or not at all, with the reason", {
  timeout: 60_000 + count * 200,
}, async () => {
  const chance = chanceOf(seed);
  const failures: string[] = [];
  const root = await fs.mkdtemp(join(tmpdir(), "forgectl-fuzz-"));
  let refused = 0;
  try {
    for (let round = 0; round < count; round++) {
      const folder = join(root, String(round));
      await fs.mkdir(join(folder, "workspace"), { recursive: true });
      await fs.writeFile(join(folder, "archive.zip"), damaged(oneOf(whole, chance), chance));
      const start = performance.now();
      const failure: unknown = await nodeArchives(folder)
        .extract("archive.zip", "out", { workspace: "workspace", signal: new AbortController().signal })
        .then(
          () => undefined,
          (error: unknown) => error,
        );
      if (failure !== undefined) refused += 1;
      const took = performance.now() - start;
      const is = (problem: string) => failures.push(`${round}: ${problem}: ${(failure as Error | undefined)?.stack}`);
      if (failure !== undefined && !(failure instanceof Failure)) is("not reported as a failure");
      if (took > timeoutMs) is(`${Math.round(took)} ms`);
      const there = (await fs.readdir(folder)).sort().join(" ");
      if (there !== `archive.zip${failure === undefined ? " out" : ""} workspace`) is(`there is ${there}`);
      await fs.rm(folder, { recursive: true });
    }
    expect((await fs.readdir(root)).length, "files outside of the folder").toBe(0);
  } finally {
    await fs.rm(root, { recursive: true, force: true });
  }
  expect(failures).toEqual([]);
  expect(refused / count, "share of the archives that were refused").toBeGreaterThan(0.3);
  expect(refused / count).toBeLessThan(1);
});
