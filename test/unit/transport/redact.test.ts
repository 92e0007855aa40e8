import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodedForms, Redactor } from "../../../src/api/redact.ts";
import { isSecretName, isSecretParameter } from "../../../src/base/secrets.ts";

const mask = "[redacted]";
/** A value that the mask itself does not contain a part of, nor the other way around. */
const secret = fc
  .string({ minLength: 6, maxLength: 40, unit: "grapheme" })
  .filter((value) => !mask.includes(value) && !value.includes("redacted") && /[a-z\d]{3}/i.test(value));
const around = fc.string({ maxLength: 30 });

describe("by name", () => {
  test.each([
    "PRIVATE-TOKEN",
    "job-token",
    "Authorization",
    "proxy-authorization",
    "Cookie",
    "set-cookie",
    "X-Service-Token",
    "x-service-captcha-response",
    "job_token",
    "access_token",
    "token",
    "secret",
    "password",
    "newPassword",
    "sentry_dsn",
    "akismet_api_key",
    "chatapp_signing_secret",
    "X-Amz-Signature",
    "X-Amz-Credential",
    "X-Goog-Signature",
    "Signature",
    "mailgun_signing_key",
    "external_auth_client_key",
    "arkose_labs_data_exchange_key",
    "ci_jwt_signing_key",
    "openid_key",
    "cloud_credentials",
    "search_connection_string",
    "private_data_encrypted",
    "encrypted_private_data",
  ])("%s is secret", (name) => expect(isSecretName(name)).toBe(true));

  test.each(["sig", "Policy", "X-Amz-Signature", "private_token"])("%s is, in an address", (name) =>
    expect(isSecretParameter(name)).toBe(true),
  );

  test.each([
    "tokens",
    "token_expires_in",
    "password_authentication_enabled",
    "minimum_password_length",
    "secret_push_protection_available",
    "key",
    "public_key",
    "recaptcha_site_key",
    "rsa_key_restriction",
    "cloud_key_id",
    "next_page_token",
    "policy",
    "expires",
    "signature_type",
    "page",
    "design",
  ])("%s is not", (name) => expect(isSecretName(name)).toBe(false));

  test("headers, with more named", () => {
    const shown = new Redactor().headers(
      { "PRIVATE-TOKEN": "abc", accept: "x", "X-Odd": "abc", location: "https://a.example/?sig=abc&x=1" },
      ["x-odd"],
    );
    expect(shown).toEqual({
      "PRIVATE-TOKEN": mask,
      accept: "x",
      "X-Odd": mask,
      location: `https://a.example/?sig=${mask}&x=1`,
    });
  });

  test("everything else in addresses is unchanged", () => {
    const url = new Redactor().url("https://jo:pw@a.example/p%2Fq?x=1&private_token=abc&job%5Ftoken=d#access_token=e");
    expect(url).toBe(
      `https://${mask}@a.example/p%2Fq?x=1&private_token=${mask}&job%5Ftoken=${mask}#access_token=${mask}`,
    );
  });

  test("JSON, but booleans and missing values stay", () => {
    const shown = new Redactor().json({
      name: "n",
      token: "abc",
      password: null,
      secret: true,
      nested: [{ api_key: 7, url: "https://jo:pw@a.example" }],
      custom_headers: [{ key: "X-Key", value: "abc" }],
    });
    expect(shown).toEqual({
      name: "n",
      token: mask,
      password: null,
      secret: true,
      nested: [{ api_key: mask, url: `https://${mask}@a.example` }],
      custom_headers: [{ key: "X-Key", value: mask }],
    });
  });

  test("addresses inside JSON, with user, password, and secret parameters", () => {
    const shown = new Redactor().json({
      url: "https://jo:pw@h.example/x?private_token=abc&x=1#f",
      text: "to /x?token=abc, git at ssh://git@h.example/x.git and ssh://jo:pw@h.example",
    });
    expect(shown).toEqual({
      url: `https://${mask}@h.example/x?private_token=${mask}&x=1#f`,
      text: `to /x?token=${mask} git at ssh://git@h.example/x.git and ssh://${mask}@h.example`,
    });
  });

  test.each([
    ["Authorization: Bearer abc.def", `Authorization: Bearer ${mask}`],
    ['{"token":"a\\"bc","x":1}', `{"token":"${mask}","x":1}`],
    ["password=abc&x=1", `password=${mask}&x=1`],
    ["see https://jo:pw@a.example/x", `see https://${mask}@a.example/x`],
    ["PRIVATE-TOKEN: abc", `PRIVATE-TOKEN: ${mask}`],
    ["the token is wrong", "the token is wrong"],
    ["password: is too short", "password: is too short"],
  ])("%s", (text, shown) => expect(new Redactor().text(text)).toBe(shown));
});

describe("by value", () => {
  test("a known value is not visible in any form", () => {
    fc.assert(
      fc.property(secret, around, around, (value, before, after) => {
        const redactor = new Redactor([value]);
        const encoded = encodeURIComponent(value);
        const shown = [
          redactor.text(before + value + after),
          redactor.text(`${before}${encoded} ${after}`),
          redactor.url(`https://a.example/${encoded}?x=${encoded}`),
          redactor.headers({ "x-echo": before + value + after })["x-echo"],
          JSON.stringify(redactor.json({ [before]: { list: [before + value + after] } })),
          JSON.stringify(redactor.json({ [value]: 1 })),
          redactor.text(JSON.stringify({ x: value })),
        ].join("\n");
        expect(shown).not.toContain(value);
        expect(shown).not.toContain(encoded);
      }),
    );
  });

  test("nor inside base64, at any offset", () => {
    fc.assert(
      fc.property(secret, around, around, (value, before, after) => {
        const redactor = new Redactor([value]);
        for (const form of ["base64", "base64url"] as const) {
          const shown = redactor.text(Buffer.from(before + value + after).toString(form));
          expect(Buffer.from(shown.replaceAll(mask, ""), form).toString()).not.toContain(value);
        }
      }),
    );
  });

  test("overlapping values are redacted completely", () => {
    const redactor = new Redactor(["abcdef", "defghi"]);
    expect(redactor.text("x abcdefghi y")).toBe(`x ${mask} y`);
  });

  test("text without secrets is unchanged", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("the", "project", "7", "was", "deleted", "main"), { maxLength: 20 }),
        (words) => {
          expect(new Redactor(["s3cret-token"]).text(words.join(" "))).toBe(words.join(" "));
        },
      ),
    );
  });

  test("values of up to three characters are not searched", () => {
    expect(new Redactor(["abc"]).text("abc abcd")).toBe("abc abcd");
  });
});

describe("every form of a value", () => {
  const value = 'a b/ö"~?>c';
  test.each([
    ["as it is", value],
    ["URL-encoded", "a%20b%2F%C3%B6%22~%3F%3Ec"],
    ["in lower-case codes", "a%20b%2f%c3%b6%22~%3f%3ec"],
    ["in a form", "a+b%2F%C3%B6%22%7E%3F%3Ec"],
    ["in JSON", 'a b/ö\\"~?>c'],
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
