import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Redactor } from "../../../src/api/redact.ts";
import { isSecretName, isSecretParameter } from "../../../src/base/secret-names.ts";

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
