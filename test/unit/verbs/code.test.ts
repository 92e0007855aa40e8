import { describe, expect, test } from "vitest";
import { accessLevel, accessLevels } from "../../../src/api/endpoints/access-level.ts";
import { parseValue } from "../../../src/cli/parse.ts";
import { unicodeSigns } from "../../../src/terminal/signs.ts";
import { lineCell } from "../../../src/terminal/table/cells.ts";

const field = accessLevel();
const shown = (value: unknown) =>
  lineCell(value, field, { now: undefined, times: true, pictures: false, signs: unicodeSigns });

describe("a number with names", () => {
  test.each(Object.entries(accessLevels))("%s is %d, typed as either and shown by name", (name, number) => {
    for (const typed of [name, name.toUpperCase(), String(number)]) {
      expect(parseValue(field, typed, "--level")).toBe(number);
    }
    expect(shown(number)).toBe(name);
  });

  test.each(["3", "25"])("%s, which a newer release may have, is sent as it is", (typed) => {
    expect(parseValue(field, typed, "--level")).toBe(Number(typed));
  });

  test.each(["", " ", "0", "30.0", "-30", "030x", "toString", "guests "])("%j is refused", (typed) => {
    expect(() => parseValue(field, typed, "--level")).toThrow(`--level: must be one of minimal (5), guest (10)`);
  });

  test("a value without a name, and one that is not a number, is shown unchanged", () => {
    expect([7, "Maintainer", null].map(shown)).toEqual(["7", "Maintainer", "-"]);
  });
});
