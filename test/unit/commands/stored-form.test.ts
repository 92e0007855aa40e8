import { expect, test } from "vitest";
import { sha256 } from "../../../src/commands/files/pointer.ts";
import { hasContent } from "../../../src/commands/files/stored-form.ts";

const bytes = new TextEncoder().encode("echo\n");
const shown = { size: bytes.length, content_sha256: sha256(bytes) };

test.each([
  ["the same mode", true, true, true],
  ["another mode", true, false, false],
  ["a mode that is not shown, where one is wanted", undefined, false, false],
  ["a mode that is not shown, where none is wanted", undefined, undefined, true],
])("%s: whether the file is as it is wanted", (_, mode, wanted, isSo) => {
  const facts = { ...shown, ...(mode !== undefined && { execute_filemode: mode }) };
  const commit = { bytes, ...(wanted !== undefined && { execute_filemode: wanted }) };
  expect(hasContent(facts as never, commit as never)).toBe(isSo);
});
