import fc from "fast-check";
import { expect, test } from "vitest";
import { globOf } from "../../../src/base/glob.ts";
import { fitsAny, Globs } from "../../../src/base/globs.ts";

const part = fc.constantFrom("a", "b", "/", "*", "**", "?");
const glob = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(""));
const text = fc.array(fc.constantFrom("a", "b", "/"), { maxLength: 6 }).map((parts) => parts.join(""));

test("many globs match what each of them matches, in their order", () => {
  fc.assert(
    fc.property(fc.array(glob, { maxLength: 12 }), text, (globs, name) => {
      const each = globs.flatMap((one, index) => (globOf(one)(name) ? [index] : []));
      expect(new Globs(globs.map((one, index) => [one, index])).matching(name)).toEqual(each);
      expect(fitsAny(globs)(name)).toBe(each.length > 0);
    }),
  );
});
