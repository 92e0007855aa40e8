import { expect, test } from "vitest";
import { Gathered, Spare } from "../../../src/api/transport/gathered.ts";

const bytes = (length: number, value: number) => new Uint8Array(length).fill(value);

function gathered(spare: Spare, chunks: readonly Uint8Array[], announced = Number.NaN): Gathered {
  const whole = new Gathered(spare, announced);
  for (const chunk of chunks) whole.add(chunk);
  return whole;
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
  expect(gathered(new Spare(), chunks, announced).bytes().equals(Buffer.concat(chunks))).toBe(true);
});

test("an empty body is empty", () => {
  expect(gathered(new Spare(), [])).toMatchObject({ length: 0 });
});

test("two bodies in progress share no memory, even after one before them was freed", () => {
  const spare = new Spare();
  gathered(spare, [bytes(50_000, 9)]).free();
  const one = gathered(spare, [bytes(50_000, 1)]);
  const other = gathered(spare, [bytes(50_000, 2)]);
  expect(one.bytes().every((byte) => byte === 1)).toBe(true);
  expect(other.bytes().every((byte) => byte === 2)).toBe(true);
});

test("freed memory is reused", () => {
  const spare = new Spare();
  const first = gathered(spare, [bytes(50_000, 1)], 50_000);
  const memory = first.bytes().buffer;
  first.free();
  expect(gathered(spare, [bytes(50_100, 2)], 50_100).bytes().buffer).toBe(memory);
});

test("memory freed twice is given to only one other", () => {
  const spare = new Spare();
  const first = gathered(spare, [bytes(50_000, 1)]);
  first.free();
  first.free();
  expect(gathered(spare, [bytes(50_000, 1)]).bytes().buffer).not.toBe(
    gathered(spare, [bytes(50_000, 2)]).bytes().buffer,
  );
});

test("no more than 4 MiB is kept for later answers", () => {
  const spare = new Spare();
  const large = gathered(spare, [bytes(5 * 1024 * 1024, 1)]);
  const memory = large.bytes().buffer;
  large.free();
  expect(gathered(spare, [bytes(5 * 1024 * 1024, 1)]).bytes().buffer).not.toBe(memory);
});
