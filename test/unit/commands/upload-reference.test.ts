import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../../src/base/errors.ts";
import { ownerIn } from "../../../src/commands/uploads/owner.ts";
import { parseUpload } from "../../../src/commands/uploads/reference.ts";

const secret = "0123456789abcdef0123456789abcdef";

test.each([
  ["12", { upload_id: 12 }],
  [" 12\n", { upload_id: 12 }],
  ["/api/v4/projects/7/uploads/12", { upload_id: 12 }],
  ["https://forge.example/api/v4/groups/1/uploads/12?x=1", { upload_id: 12 }],
  [`${secret}/a b.png`, { secret, filename: "a b.png" }],
  [`${secret}/100%.png`, { secret, filename: "100%.png" }],
  [`/uploads/${secret}/logo.png`, { secret, filename: "logo.png" }],
  [`uploads/${secret}/logo.png`, { secret, filename: "logo.png" }],
  [`/-/project/7/uploads/${secret}/logo.png`, { secret, filename: "logo.png" }],
  [`/-/group/1/uploads/${secret}/logo.png`, { secret, filename: "logo.png" }],
  [`https://forge.example/acme/uploads/uploads/${secret}/a%20b.png#top`, { secret, filename: "a b.png" }],
  [`https://forge.example/api/v4/projects/7/uploads/${secret}/logo.png`, { secret, filename: "logo.png" }],
  [`![logo](/uploads/${secret}/logo.png)`, { secret, filename: "logo.png" }],
  [`[a [b].txt](/uploads/${secret}/a%20(1).txt)`, { secret, filename: "a (1).txt" }],
  [`![x](</uploads/${secret}/logo.png> "the logo"){width=20 height=3}`, { secret, filename: "logo.png" }],
  [`![](https://forge.example/-/project/7/uploads/${secret}/logo.png 'x')`, { secret, filename: "logo.png" }],
])("%s", (text, reference) => {
  expect(parseUpload(text).reference).toEqual(reference);
});

describe("is refused:", () => {
  test.each([
    "",
    "0",
    "-1",
    "1.5",
    "99999999999999999999",
    "logo.png",
    secret,
    `${secret}/`,
    `${secret}/a/b.png`,
    `${secret}/..`,
    `/uploads/${secret}/%2e%2e`,
    `/uploads/${secret}/a%2Fb.png`,
    `/uploads/${secret}/a%5Cb.png`,
    `/uploads/${secret}/%zz`,
    `/uploads/${secret}`,
    `https://forge.example/acme/logo.png`,
    "https://forge.example",
    `![logo](${secret}/logo.png)`,
    `![logo](/uploads/${secret}/logo.png`,
    `![logo]()`,
    `see ![logo](/uploads/${secret}/logo.png) here`,
    `0123456789abcdef0123456789abcde!/logo.png`,
  ])("%j", (text) => {
    expect(() => parseUpload(text)).toThrow(UsageError);
  });

  test("several at once, of which one may be a mistake", () => {
    const two = `![a](/uploads/${secret}/a.png) ![b](/uploads/${secret}/b.png)`;
    expect(() => parseUpload(two)).toThrow("contains several uploads");
  });

  test("a secret of the wrong length, which is explained", () => {
    expect(() => parseUpload(`${secret}0/logo.png`)).toThrow("its secret has 33 characters instead of 32");
    expect(() => parseUpload("/uploads/abc/logo.png")).toThrow("its secret has 3 characters instead of 32");
  });
});

test("every form of an address means the same, with any file name", () => {
  const filename = fc
    .string({ minLength: 1, unit: "grapheme" })
    .filter((name) => !/[/\\\s]/.test(name) && name !== "." && name !== ".." && name.isWellFormed());
  fc.assert(
    fc.property(filename, (name) => {
      const path = `/uploads/${secret}/${encodeURIComponent(name)}`;
      const reference = { secret, filename: name };
      expect(parseUpload(path).reference).toEqual(reference);
      expect(parseUpload(`https://forge.example/acme/storefront${path}`).reference).toEqual(reference);
      expect(parseUpload(`![${name}](${path})`).reference).toEqual(reference);
      expect(parseUpload(`[x](<${path}> "y")`).reference).toEqual(reference);
    }),
  );
});

describe("the owner of an upload, from its address", () => {
  const file = `uploads/${secret}/logo.png`;
  const ownerOf = (text: string, base = "https://forge.example/git") => ownerIn(parseUpload(text), base);

  test.each([
    ["12", undefined],
    [`/${file}`, undefined],
    [`https://forge.example/git/-/project/7/${file}`, { kind: "project", name: "7" }],
    [`HTTPS://FORGE.example:443/git/-/group/1/${file}`, { kind: "group", name: "1" }],
    [`/git/acme/storefront/${file}`, { kind: "project", name: "acme/storefront" }],
    [`[x](/acme/storefront/${file})`, { kind: "project", name: "acme/storefront" }],
    ["/api/v4/projects/acme%2Fstorefront/uploads/3", { kind: "project", name: "acme/storefront" }],
    ["https://forge.example/git/api/v4/groups/1/uploads/3", { kind: "group", name: "1" }],
    [`/groups/acme/mobile/-/${file}`, { kind: "group", name: "acme/mobile" }],
  ])("%s", (text, owner) => {
    expect(ownerOf(text)).toEqual(owner);
  });

  test.each([
    `https://other.example/git/-/project/7/${file}`,
    `http://forge.example/git/-/project/7/${file}`,
    `https://forge.example:8443/git/-/project/7/${file}`,
    `https://forge.example/-/project/7/${file}`,
    `https://forge.example/gitty/-/project/7/${file}`,
    `https://forge.example/git/../-/project/7/${file}`,
    `https://forge.example@other.example/git/-/project/7/${file}`,
    `https://forge.example:99999/git/-/project/7/${file}`,
  ])("%s does not belong to this instance", (text) => {
    expect(() => ownerOf(text)).toThrow(UsageError);
  });
});
