import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newRun } from "../../../src/jobs/run-id.ts";
import { nodeFiles } from "../../../src/node/files.ts";
import { atEnd } from "../../support/ending.ts";

test("a new run has a folder of its own, not one that a link of its name leads to", async () => {
  const home = mkdtempSync(join(tmpdir(), "forgectl-test-"));
  atEnd(() => rmSync(home, { recursive: true, force: true }));
  const [runs, other] = [join(home, "runs"), join(home, "other")];
  for (const folder of [runs, other]) mkdirSync(folder);
  // Nearly all names of one second.
  for (let number = 0; number < 0xf000; number += 1) {
    symlinkSync(other, join(runs, `20261126T120000Z-${number.toString(16).padStart(4, "0")}`));
  }
  const id = await newRun({ files: nodeFiles(home), now: () => new Date("2026-11-26T12:00:00Z") }, runs);
  expect(id).toMatch(/^20261126T120000Z-f/);
  expect(lstatSync(join(runs, id)).isDirectory()).toBe(true);
  expect(readdirSync(other)).toEqual([]);
});
