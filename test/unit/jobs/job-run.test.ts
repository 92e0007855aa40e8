import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { FileError } from "../../../src/base/errors.ts";
import { beginJobRun, resumeJobRun } from "../../../src/jobs/job-run.ts";
import { nodeHolder } from "../../../src/node/holder.ts";
import { contextFor } from "../../support/context.ts";

const now = new Date("2026-11-21T16:45:02.123Z");
const isWhole = ({ words }: Record<string, unknown>) => Array.isArray(words);

function contextAt(time = now) {
  return Object.assign(contextFor("http://127.0.0.1:1"), { now: () => time });
}

test("a run is recorded under its time, private to this user, and what was asked comes back", async () => {
  const context = contextAt();
  const run = await beginJobRun(context, { words: ["a"] });
  expect(run?.id).toMatch(/^20261121T164502Z-[0-9a-f]{4}$/);
  const folder = join(context.stateFolder("jobs"), run?.id ?? "");
  expect(run?.journal).toBe(join(folder, "journal.ndjson"));
  expect(statSync(context.stateFolder("jobs")).mode & 0o777).toBe(0o700);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "asked.json")).mode & 0o777).toBe(0o600);
  const resumed = await resumeJobRun(context, run?.id ?? "", isWhole);
  expect(resumed.asked).toEqual({ words: ["a"] });
  expect(resumed.run.journal).toBe(run?.journal);
  await run?.remove();
  expect(existsSync(folder)).toBe(false);
});

test("a run of over 30 days is removed when the next one begins; what is no run stays", async () => {
  const context = contextAt();
  const folder = context.stateFolder("jobs");
  const names = ["20261022T164501Z-aaaa", "20261022T164503Z-bbbb", "20200101T000000Z-notes", "notes"];
  for (const name of names) mkdirSync(join(folder, name), { recursive: true });
  const run = await beginJobRun(context, {});
  expect(readdirSync(folder).sort()).toEqual([...names.slice(1), run?.id].sort());
});

test("the record of a job that still runs stays, whatever the clock says; that of a dead one is removed", async () => {
  const context = Object.assign(contextAt(), { holder: nodeHolder() });
  const folder = context.stateFolder("jobs");
  const [running, dead] = ["19700101T000000Z-aaaa", "20261022T164501Z-bbbb"];
  for (const name of [running, dead]) mkdirSync(join(folder, name), { recursive: true });
  const lockOf = (name: string) => join(folder, name, "journal.ndjson.lock");
  writeFileSync(lockOf(running), `aaaa ${context.holder.name}`);
  writeFileSync(lockOf(dead), `bbbb ${context.holder.name.replace(/^\d+:\w+/, "4194399:1")}`);
  const run = await beginJobRun(context, {});
  expect(readdirSync(folder).sort()).toEqual([running, run?.id].sort());
  expect(readdirSync(join(folder, running))).toEqual(["journal.ndjson.lock"]);
});

test("two runs of one second never share a record", async () => {
  const chosen = vi.spyOn(crypto, "randomUUID");
  for (const word of ["aaaa", "aaaa", "bbbb"] as const)
    chosen.mockReturnValueOnce(`${word}0000-0000-4000-8000-00000000`);
  const context = contextAt();
  const asked = [{ words: ["a"] }, { words: ["b"] }];
  const runs = [await beginJobRun(context, asked[0] ?? {}), await beginJobRun(context, asked[1] ?? {})];
  chosen.mockRestore();
  expect(runs.map((run) => run?.id)).toEqual(["20261121T164502Z-aaaa", "20261121T164502Z-bbbb"]);
  const kept = await Promise.all(runs.map((run) => resumeJobRun(context, run?.id ?? "", isWhole)));
  expect(kept.map((each) => each.asked)).toEqual(asked);
});

test("a state folder that cannot be written is a warning with the system's reason; another error is one", async () => {
  const warnings: string[] = [];
  const refused = Object.assign(new Error("EROFS: read-only file system, mkdir"), { code: "EROFS" });
  const failing = (error: Error) => {
    const context = contextAt();
    const makeFolder = () => Promise.reject(error);
    return Object.assign(context, {
      files: { ...context.files, makeFolder },
      warn: (text: string) => warnings.push(text),
    });
  };
  const context = failing(new FileError("/x", "written", refused));
  expect(await beginJobRun(context, {})).toBeUndefined();
  expect(warnings).toEqual([
    `the run is not recorded, so it cannot be resumed: ${context.stateFolder("jobs")}: ${refused.message}`,
  ]);
  await expect(beginJobRun(failing(new TypeError("a bug")), {})).rejects.toThrow("a bug");
});

test.each([
  ["../../etc", "that is not the name of a run, such as 20261121T164502Z-7f3a"],
  ["20261121T164502Z-7f3a-more", "that is not the name of a run, such as 20261121T164502Z-7f3a"],
  ["20261121T164502Z-7f3a", /has no such run of this user: all of it was done, or it is over 30 days old$/],
])("run %s cannot be resumed", async (id, reason) => {
  await expect(resumeJobRun(contextAt(), id, isWhole)).rejects.toMatchObject({
    exit: "usage",
    message: `run ${id} cannot be resumed`,
    details: {
      code: "unknown_run",
      reason: expect.stringMatching(reason),
      hint: expect.stringMatching(/^see what it has done/),
    },
  });
});

test.each(["", "{", "null", "[]", "{}", '{"words":1}'])("a record that is %j is damaged", async (text) => {
  const context = contextAt();
  const id = "20261121T164502Z-7f3a";
  const folder = join(context.stateFolder("jobs"), id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "asked.json"), text, { mode: 0o600 });
  await expect(resumeJobRun(context, id, isWhole)).rejects.toMatchObject({
    details: { reason: `${join(folder, "asked.json")} is damaged` },
  });
});
