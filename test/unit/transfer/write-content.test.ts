import { expect, test } from "vitest";
import type { Context } from "../../../src/context.ts";
import type { Body } from "../../../src/transfer/body.ts";
import { writeContent } from "../../../src/transfer/write-content.ts";

test("hundreds of thousands of tiny chunks may arrive together", async () => {
  const chunk = Uint8Array.of(1);
  const batch = Array.from({ length: 300_000 }, () => chunk);
  const context = {
    elapsedMs: () => 0,
    progress: { start: () => ({ update: () => undefined, stop: () => undefined }) },
  } as unknown as Context;
  const steps: string[] = [];
  const body = {
    start: 0,
    async *batches() {
      yield batch;
    },
  } as Pick<Body, "start" | "batches"> as Body;
  const writer = {
    write: async (chunks: readonly Uint8Array[]) => void steps.push(`wrote ${chunks.length}`),
    sync: async () => undefined,
    close: async () => undefined,
  };
  expect(await writeContent(context, { body, label: "a file", writer, inspectors: [] })).toBe(batch.length);
  expect(steps.filter((step) => !step.endsWith(" 0"))).toEqual(["wrote 300000"]);
});
