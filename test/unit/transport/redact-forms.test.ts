import { describe, expect, test } from "vitest";
import { KnownTexts } from "../../../src/api/known-texts.ts";
import { encodedForms, Redactor } from "../../../src/api/redact.ts";

const mask = "[redacted]";

describe("every form of a value", () => {
  const value = 'a b/ö"~?>c';
  test.each([
    ["as it is", value],
    ["URL-encoded", "a%20b%2F%C3%B6%22~%3F%3Ec"],
    ["in lower-case codes", "a%20b%2f%c3%b6%22~%3f%3ec"],
    ["in a form", "a+b%2F%C3%B6%22%7E%3F%3Ec"],
    ["in JSON", 'a b/ö\\"~?>c'],
    ["for printf", "a b/ö\\042\\176\\077\\076c"],
  ])("%s", (_, form) => {
    expect(encodedForms(value)).toContain(form);
    expect(new Redactor([value]).text(`x ${form} y`)).toBe(`x ${mask} y`);
  });

  test("inside base64, all but what depends on its neighbors", () => {
    for (const form of ["base64", "base64url"] as const) {
      for (const length of [4, 5, 6, 12]) {
        const known = "~~~???>>>öö".slice(0, length);
        const redactor = new Redactor([known]);
        for (const before of ["k", "kk", "kkk", "kkkk"]) {
          const start = Math.ceil((before.length * 8) / 6);
          const end = Math.floor((Buffer.byteLength(before + known) * 8) / 6);
          const text = Buffer.from(`${before}${known}kkk`).toString(form);
          // Fewer than five characters would be found in any text.
          const shown = end - start < 5 ? text : text.slice(0, start) + mask + text.slice(end);
          expect(redactor.text(text)).toBe(shown);
        }
        expect(redactor.text(Buffer.from(known).toString(form))).toBe(mask);
      }
    }
  });

  test("half a character is searched as it is", () => {
    expect(new Redactor(["abc\ud800"]).text("x abc\ud800 y")).toBe(`x ${mask} y`);
  });
});

test("values are searched from four characters on, wherever they are, in any order", () => {
  const redactor = new Redactor(["wxyz", "abcd"]);
  expect(redactor.text("abcdabcd wxyz-abcdwxyz")).toBe(`${mask}${mask} ${mask}-${mask}${mask}`);
  expect(new Redactor(["aaaa"]).text("aaaaaa a")).toBe(`${mask} a`);
});

test("the values that are known at the start are iterated once, and not before they are needed", () => {
  let read = 0;
  const values = {
    *[Symbol.iterator]() {
      read += 1;
      yield "abcd";
    },
  };
  const redactor = new Redactor(values);
  expect(read).toBe(0);
  expect([redactor.text("abcd"), redactor.text("abcd"), read]).toEqual([mask, mask, 1]);
});

test("the value of an Authorization header is a secret, and of a Basic one the password alone too", () => {
  const redactor = new Redactor();
  redactor.addAuthorization(`basic ${Buffer.from("robot:correct:horse").toString("base64")}`);
  redactor.addAuthorization("Bearer cm9ib3Q6cGFzcw==");
  redactor.addAuthorization("nothing");
  expect(redactor.text("robot correct:horse, robot:pass nothing, cm9ib3Q6cGFzcw==")).toBe(
    `robot ${mask}, robot:pass nothing, ${mask}`,
  );
});

test("addresses in headers lose their secrets, other headers keep theirs", () => {
  const address = "https://x/y?private_token=ab";
  const names = ["Location", "link", "Referer", "content-location"];
  const headers = Object.fromEntries([...names, "x-note"].map((name) => [name, address]));
  const shown = new Redactor().headers(headers);
  for (const name of names) expect(shown[name]).toBe(`https://x/y?private_token=${mask}`);
  expect(shown["x-note"]).toBe(address);
  expect(new Redactor().headers({ "X-Own": "ab", "x-other": "ab" }, ["x-own"])).toEqual({
    "X-Own": mask,
    "x-other": "ab",
  });
});

test.each([
  ["password='abc' x", `password='${mask}' x`],
  ['password="abc" x', `password="${mask}" x`],
])("a quoted value keeps its quotes: %s", (text, shown) => expect(new Redactor().text(text)).toBe(shown));

test("thousands of values are found as fast as one, whether they begin alike or not", () => {
  const secrets = Array.from({ length: 5000 }, (_, index) => [
    `token-${index}-${index * 7}`,
    `${index * 7919}-key`,
  ]).flat();
  const redactor = new Redactor(secrets);
  const text = "a message of an instance, with token- and nothing that is known, 12345-kex. ";
  redactor.text(text);
  const before = process.cpuUsage();
  for (let count = 0; count < 5000; count++) expect(redactor.text(text)).toBe(text);
  const { user, system } = process.cpuUsage(before);
  // One search for each of their forms takes seven seconds of this process's time.
  expect((user + system) / 1000).toBeLessThan(3000);
  expect(redactor.text(`${text}token-4999-34993`)).toBe(text + mask);
});

test("of values that begin alike, the longest one is hidden as a whole", () => {
  const redactor = new Redactor(["abcd", "abcdef", "cdefgh"]);
  expect(redactor.text("abcdefg abcdefgh abcde")).toBe(`${mask}g ${mask} ${mask}e`);
});

test("a text that is like the beginning of long secrets costs no more", () => {
  const keys = Array.from({ length: 20 }, (_, index) => `-----BEGIN KEY-----\n${"Qm9y".repeat(600 + index)}\n-----END`);
  const redactor = new Redactor(keys);
  const before = process.cpuUsage();
  for (const text of ["-".repeat(200_000), "-----BEGIN KEY-----\n".repeat(10_000)])
    expect(redactor.text(text)).toBe(text);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(3000);
});

test("what is found is what a search for each form would find", () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  const word = (length: number) => Array.from({ length }, () => "ab-"[random(3)]).join("");
  for (let turn = 0; turn < 300; turn++) {
    const known = new KnownTexts();
    const texts = Array.from({ length: 1 + random(80) }, () => word(4 + random(14)));
    for (const each of texts) known.add(each);
    const text = word(200);
    const places = [...new Set(texts)].flatMap((each) =>
      Array.from({ length: text.length }, (_, at) => at)
        .filter((at) => text.startsWith(each, at))
        .map((at) => `${at}-${at + each.length}`),
    );
    expect(
      known
        .placesIn(text)
        .map((each) => each.join("-"))
        .sort(),
    ).toEqual(places.sort());
  }
});
