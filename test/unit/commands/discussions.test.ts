import { expect, test } from "vitest";
import { discussion, passageOf } from "../../../src/commands/discussions/thread.ts";

const id = "45e1ded38990e86b70bc91ffbf1f90b1d0e47350";
const note = { id: 1, body: "x", resolvable: true };

test.each([
  [{ position: { new_path: "src/a.ts", new_line: 12, old_path: "src/a.ts", old_line: null } }, "src/a.ts:12"],
  [{ position: { new_path: "src/a.ts", new_line: null, old_path: "src/a.ts", old_line: 7 } }, "src/a.ts:7"],
  [{ position: { new_path: "logo.png", new_line: null } }, "logo.png"],
])("a thread on a diff shows its file and line: %j", (more, place) => {
  expect(passageOf({ id, notes: [{ ...note, ...more }] }).heading).toEqual(["thread", "unresolved", place, id]);
});

test("a resolved thread shows who resolved it", () => {
  const resolved = { ...note, resolved: true, resolved_by: { username: "dana.dixon" } };
  expect(passageOf({ id, notes: [resolved] }).heading).toEqual(["thread", "resolved by dana.dixon", id]);
  expect(passageOf({ id, notes: [{ ...note, resolved: true }] }).heading).toEqual(["thread", "resolved", id]);
});

test("the other formats have file, line, and resolver in fields of their own", () => {
  const position = { new_path: null, new_line: null, old_path: "src/a.ts", old_line: 7 };
  const resolved = { ...note, position, resolved: true, resolved_by: { username: "dana.dixon" } };
  const read = (notes: unknown) => discussion.read?.({ id, notes });
  expect(read([resolved])).toMatchObject({ file: "src/a.ts", line: 7, resolved_by: "dana.dixon", notes: [resolved] });
  const open = { ...note, id: 2, resolved: false };
  expect(read([resolved, open])).toMatchObject({ resolved_by: null });
  for (const odd of [undefined, null, "x", [note]]) expect(read(odd)).toMatchObject({ file: null, line: null });
});
