import { expect, test } from "vitest";
import { readLines } from "../../../src/commands/batch/lines.ts";

test("a signal is heard while the lines are read", async () => {
  let elapsed = 0;
  let parsed = 0;
  const leaving = new AbortController();
  const parse = async () => {
    parsed += 1;
    if (parsed === 10) setImmediate(() => leaving.abort(new Error("interrupted")));
    const files = { reads: [], replaces: [], reports: [], outputs: {} };
    return { path: [], globals: [], secrets: [], ...files, changes: false };
  };
  const elapsedMs = () => {
    elapsed += 10;
    return elapsed;
  };
  const context = { signal: leaving.signal, elapsedMs, commands: { parse }, redact: String };
  const bytes = Buffer.from('{"args":["users","me"]}\n'.repeat(1000));
  await expect(readLines(context as never, bytes, { place: "x", shard: undefined })).rejects.toThrow("interrupted");
  expect(parsed).toBeLessThan(100);
});
