import { expect, test } from "vitest";
import type { Entry } from "../../../src/commands/relations/export-end.ts";
import { refuseFailed } from "../../../src/commands/relations/export-failure.ts";
import { piecesOf } from "../../../src/commands/relations/pull/pieces.ts";

const updated_at = "2026-01-01T10:00:00.000Z";
const batch = (batch_number: number, status: 1 | -1) => ({
  batch_number,
  status,
  objects_count: 3,
  error: null,
  updated_at,
});

/** A relation that had batches, and has become empty: instances keep the batches of the export before. */
const emptied = {
  ...{ relation: "labels", status: 1, error: null, updated_at, batched: true, batches_count: 0 },
  batches: [batch(1, 1), batch(2, -1)],
} as unknown as Entry;

test("a relation that has become empty has no batches, whatever the instance names", () => {
  expect(piecesOf([emptied])).toMatchObject([{ relation: "labels", status: "empty", file: null, error: null }]);
  expect(() => refuseFailed({ project: "7" }, [emptied])).not.toThrow();
});

test("a relation whose batches are not all named has failed", () => {
  const [piece] = piecesOf([{ ...emptied, batches_count: 3 }]);
  expect(piece).toMatchObject({ status: "failed", error: "the instance names 2 of 3 batches" });
});
