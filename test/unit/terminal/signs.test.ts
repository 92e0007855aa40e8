import { describe, expect, test } from "vitest";
import { visible } from "../../../src/terminal/sanitize.ts";
import { signsOf, unicodeSigns } from "../../../src/terminal/signs.ts";
import { loadMeasure } from "../../../src/terminal/width.ts";

describe("the current locale decides", () => {
  test.each([
    [{ LC_ALL: "C" }, false],
    [{ LC_ALL: "POSIX", LANG: "en_US.UTF-8" }, false],
    [{ LC_CTYPE: "C", LANG: "en_US.UTF-8" }, false],
    [{ LANG: "C" }, false],
    [{ LANG: "de_DE.ISO-8859-15@euro" }, false],
    [{ LANG: "ja_JP.eucJP" }, false],
    [{ LC_ALL: "C.UTF-8", LANG: "C" }, true],
    [{ LC_ALL: "", LC_CTYPE: "en_US.utf8", LANG: "C" }, true],
    [{ LANG: "en_US.UTF-8@modern" }, true],
    // Neither names a charset.
    [{ LANG: "en_US" }, true],
    [{}, true],
  ])("%j", (env, expected) => {
    expect(signsOf(env) === unicodeSigns).toBe(expected);
  });
});

test("a text that is cut in ASCII is as wide as its place", async () => {
  const ascii = await loadMeasure(signsOf({ LC_ALL: "C" }));
  const cut = (limit: number) => ascii.cut(visible("storefront"), limit);
  expect([10, 9, 4, 3, 2, 0].map(cut)).toEqual(["storefront", "storef...", "s...", "...", "..", ""]);
});
