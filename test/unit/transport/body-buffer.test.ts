import { expect, test } from "vitest";
import { BodyBuffer } from "../../../src/api/transport/body-buffer.ts";
import { BufferPool } from "../../../src/api/transport/buffer-pool.ts";

const bytes = (length: number, value: number) => new Uint8Array(length).fill(value);

function filled(pool: BufferPool, chunks: readonly Uint8Array[], announced = Number.NaN): BodyBuffer {
  const body = new BodyBuffer(pool, announced);
  for (const chunk of chunks) body.add(chunk);
  return body;
}

test.each([
  ["no announced length", Number.NaN],
  ["the right one", 150_000],
  ["one that is too short", 10],
  ["one that is far too long", 1e15],
  ["a negative one", -1],
  ["none at all", 0],
])("a body is one buffer, with %s", (_, announced) => {
  const chunks = [bytes(70_000, 1), bytes(1, 2), bytes(79_999, 3)];
  expect(filled(new BufferPool(), chunks, announced).bytes().equals(Buffer.concat(chunks))).toBe(true);
});

test("an empty body is empty", () => {
  expect(filled(new BufferPool(), [])).toMatchObject({ length: 0 });
});

test("two bodies in progress share no memory, even after one before them was freed", () => {
  const pool = new BufferPool();
  filled(pool, [bytes(50_000, 9)]).free();
  const one = filled(pool, [bytes(50_000, 1)]);
  const other = filled(pool, [bytes(50_000, 2)]);
  expect(one.bytes().every((byte) => byte === 1)).toBe(true);
  expect(other.bytes().every((byte) => byte === 2)).toBe(true);
});

test("freed memory is reused", () => {
  const pool = new BufferPool();
  const first = filled(pool, [bytes(50_000, 1)], 50_000);
  const memory = first.bytes().buffer;
  first.free();
  expect(filled(pool, [bytes(50_100, 2)], 50_100).bytes().buffer).toBe(memory);
});

test("memory freed twice is given to only one other", () => {
  const pool = new BufferPool();
  const first = filled(pool, [bytes(50_000, 1)]);
  first.free();
  first.free();
  expect(filled(pool, [bytes(50_000, 1)]).bytes().buffer).not.toBe(filled(pool, [bytes(50_000, 2)]).bytes().buffer);
});

test("no more than 4 MiB is kept for later answers", () => {
  const pool = new BufferPool();
  const large = filled(pool, [bytes(5 * 1024 * 1024, 1)]);
  const memory = large.bytes().buffer;
  large.free();
  expect(filled(pool, [bytes(5 * 1024 * 1024, 1)]).bytes().buffer).not.toBe(memory);
});
