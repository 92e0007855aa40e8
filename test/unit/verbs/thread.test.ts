import { expect, test } from "vitest";
import { passageOf } from "../../../src/commands/discussions/thread.ts";

const note = (more: object = {}) => ({
  id: 1,
  body: "Hello",
  author: { name: "Ann", username: "ann" },
  created_at: "2026-03-01T00:00:00.000Z",
  ...more,
});
const headingOf = (notes: object[], single = false) =>
  passageOf({ id: "d1", individual_note: single, notes }).heading.join(" ");

test("a thread is resolved when all its resolvable notes are", () => {
  const [done, open] = [note({ resolvable: true, resolved: true }), note({ resolvable: true, resolved: false })];
  expect(headingOf([done, done])).toBe("thread resolved d1");
  expect(headingOf([done, open])).toBe("thread unresolved d1");
  expect(headingOf([done, note({ resolvable: false })])).toBe("thread resolved d1");
  expect(headingOf([note(), note()])).toBe("thread d1");
});

test("a single comment and a system note have their own names", () => {
  expect(headingOf([note()], true)).toBe("comment d1");
  expect(headingOf([note({ system: true })], true)).toBe("system note d1");
});

test("a note shows author, time, and what is special about it", () => {
  const { inner } = passageOf({ id: "d1", individual_note: false, notes: [note({ internal: true, system: true })] });
  expect(inner).toEqual([
    {
      heading: ["Ann (ann)", { time: "2026-03-01T00:00:00.000Z" }, "note 1", "system", "internal"],
      text: "Hello",
    },
  ]);
});

test("missing fields do no harm", () => {
  expect(passageOf({})).toEqual({ heading: ["thread", ""], inner: [] });
  expect(passageOf({ id: "d1", notes: [{ id: 5, author: null }] }).inner).toEqual([
    { heading: ["unknown", "note 5"], text: "" },
  ]);
});
