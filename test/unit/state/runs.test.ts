import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FileError } from "../../../src/base/errors.ts";
import { brokenLine, Chain } from "../../../src/state/runs/chain.ts";
import { beginRun } from "../../../src/state/runs/runs.ts";
import { contextFor } from "../../support/context.ts";

const now = new Date("2026-11-21T16:45:02.123Z");
const at = now.toISOString();

function contextAt() {
  const context = Object.assign(contextFor("https://forge.example.com:8443"), { now: () => now });
  return Object.assign(context, { runs: context.stateFolder("runs") });
}

const textsIn = (path: string) => readFileSync(path, "utf8").split("\n");
const linesIn = (path: string) =>
  textsIn(path)
    .slice(0, -1)
    .map((line) => JSON.parse(line) as object);

describe("a run of state apply", () => {
  test("has a folder of its own, private to this user, with each line as it is written, in a chain", async () => {
    const context = contextAt();
    const run = await beginRun(context, { what: "apply", only: "hooks" });
    expect(run.id).toMatch(/^20261121T164502Z-[0-9a-f]{4}$/);
    const own = join(context.runs, run.id);
    await run.note({ planned: 1 }, { planned: 2 });
    await run.keep("settings: {}\n");
    await run.close(true);
    const sum = expect.stringMatching(/^[0-9a-f]{64}$/);
    const journal = join(own, "journal.ndjson");
    expect(linesIn(journal)).toEqual([
      { run: run.id, instance: "https://forge.example.com:8443", what: "apply", only: "hooks", started: at, sum },
      { planned: 1, sum },
      { planned: 2, sum },
      { preimage: "settings: {}\n", sum },
      { ended: at, complete: true, sum },
    ]);
    expect(brokenLine(textsIn(journal).slice(0, -1))).toBeUndefined();
    expect(readFileSync(join(own, "preimage.yaml"), "utf8")).toBe("settings: {}\n");
    for (const [path, mode] of [
      [context.runs, 0o700],
      [own, 0o700],
      [journal, 0o600],
      [join(own, "preimage.yaml"), 0o600],
    ] as const) {
      expect(statSync(path).mode & 0o777, path).toBe(mode);
    }
    expect(readdirSync(context.runs)).toEqual([run.id]);
  });

  test("is the only one on an instance and a machine until it is closed", async () => {
    const context = contextAt();
    Object.assign(context, { holder: { name: "1:1@test", alive: () => true } });
    const run = await beginRun(context, { what: "apply" });
    const lock = join(context.runs, "forge.example.com_8443.lock");
    const held = readFileSync(lock, "utf8");
    // In one process the next one waits for its turn.
    const next = beginRun(context, { what: "rollback of x" });
    await run.close(false);
    await (await next).close(true);
    expect(existsSync(lock)).toBe(false);
    // That of another process is not waited for, and a run that was refused keeps no one waiting.
    writeFileSync(lock, held);
    const refused = beginRun(context, { what: "apply" });
    await expect(refused).rejects.toMatchObject({
      exit: "conflict",
      message: "another forgectl is changing https://forge.example.com:8443 from this machine",
      details: { code: "locked", retryable: true },
    });
    rmSync(lock);
    await (await beginRun(context, { what: "apply" })).close(true);
  });

  test("has a copy where --record names one, which must not exist; the run is then not left open", async () => {
    const context = contextAt();
    const copy = join(context.folder, "copy.ndjson");
    const run = await beginRun(context, { what: "apply", record: copy });
    await run.close(true);
    expect(readFileSync(copy, "utf8")).toBe(readFileSync(join(context.runs, run.id, "journal.ndjson"), "utf8"));
    writeFileSync(copy, "mine");
    await expect(beginRun(context, { what: "apply", record: copy })).rejects.toMatchObject({ exit: "usage" });
    expect(readFileSync(copy, "utf8")).toBe("mine");
    await (await beginRun(context, { what: "apply" })).close(true);
  });

  describe("whose lines are noted concurrently", () => {
    const lines = Array.from({ length: 20 }, (_, n) => ({ n, text: "x".repeat(n * 10) }));

    /** A disk for which each write and each sync takes another time. */
    function unevenly(context: ReturnType<typeof contextAt>, isFull: () => boolean = () => false) {
      const { createPrivate } = context.files;
      const pause = () => new Promise<void>((done) => setTimeout(done, Math.random() * 5));
      const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      const open: typeof createPrivate = async (path, options) => {
        const file = await createPrivate(path, options);
        return {
          ...file,
          write: async (chunks) => {
            await pause();
            if (!isFull()) return file.write(chunks);
            await file.write(chunks.map((chunk) => chunk.subarray(0, 10)));
            throw new FileError(path, "written", full);
          },
          sync: pause,
        };
      };
      return Object.assign(context, { files: { ...context.files, createPrivate: open } });
    }

    test("has them in the order of the chain, in both files", async () => {
      const context = unevenly(contextAt());
      const copy = join(context.folder, "copy.ndjson");
      const run = await beginRun(context, { what: "apply", record: copy });
      await Promise.all(lines.map((line) => run.note(line)));
      await run.close(true);
      for (const path of [copy, join(context.runs, run.id, "journal.ndjson")]) {
        const texts = textsIn(path).slice(0, -1);
        expect([texts.length, brokenLine(texts)]).toEqual([lines.length + 2, undefined]);
      }
    });

    test("has none after one that could not be written, even if there is room again", async () => {
      let writes = 0;
      const context = unevenly(contextAt(), () => ++writes === 3);
      const run = await beginRun(context, { what: "apply" });
      await run.note({ first: 1 });
      const noted = await Promise.allSettled(lines.map((line) => run.note(line)));
      expect(new Set(noted.map(({ status }) => status))).toEqual(new Set(["rejected"]));
      await expect(run.close(true)).rejects.toThrow("could not be written");
      const texts = textsIn(join(context.runs, run.id, "journal.ndjson"));
      expect([texts.at(-1)?.length, brokenLine(texts.slice(0, -1))]).toEqual([10, undefined]);
    });
  });

  test("that cannot be recorded does not begin, and says so; a bug is one", async () => {
    const failing = (error: Error) => {
      const context = contextAt();
      return Object.assign(context, { files: { ...context.files, makeFolder: () => Promise.reject(error) } });
    };
    const context = failing(new FileError("/x", "written", new Error("EROFS: read-only file system")));
    await expect(beginRun(context, { what: "apply" })).rejects.toMatchObject({
      exit: "usage",
      message: `the run cannot be recorded in ${context.runs}`,
      details: { code: "unwritable_state", reason: "EROFS: read-only file system", nothing: "sent" },
    });
    await expect(beginRun(failing(new TypeError("a bug")), { what: "apply" })).rejects.toThrow("a bug");
  });
});

describe("a chain of lines", () => {
  const chain = new Chain();
  const lines = [{ a: 1 }, { b: '"sum":"' }, { c: "\n" }].map((value) => chain.line(value).slice(0, -1));

  test("is whole, and so is each of its beginnings", () => {
    for (let count = 0; count <= lines.length; count++) expect(brokenLine(lines.slice(0, count))).toBeUndefined();
  });

  test.each<[string, string[], number]>([
    ["altered", [lines[0] ?? "", (lines[1] ?? "").replace('"b"', '"B"'), lines[2] ?? ""], 2],
    ["left out", [lines[0] ?? "", lines[2] ?? ""], 2],
    ["moved", [lines[1] ?? "", lines[0] ?? "", lines[2] ?? ""], 1],
    ["added", [lines[0] ?? "", lines[0] ?? ""], 2],
    ["without a digest", [lines[0] ?? "", '{"b":1}'], 2],
    ["with a digest in other letters", [(lines[0] ?? "").replace(/[0-9a-f]{64}/, (sum) => sum.toUpperCase())], 1],
  ])("is broken by a line that is %s", (_, changed, line) => expect(brokenLine(changed)).toBe(line));
});
