import { describe, expect, test } from "vitest";
import { hideInAddresses } from "../../../src/base/secrets.ts";

// Every character that the URL standard leaves in a user's password, or in the value of a parameter, of an address as
// instances and files have it.

const printable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
/** Inside text that is not an address itself, these end it. */
const endsInText = ['"', "<", ">"];

describe("an address keeps no part of its password", () => {
  test.each(printable.filter((each) => !"/?#".includes(each)))("with %s", (character) => {
    const address = (userinfo: string) => `https://${userinfo}@forge.example/a?b=1`;
    const written = address(`bob:pa${character}ss`);
    expect(hideInAddresses(written)).toBe(address("[redacted]"));
    if (endsInText.includes(character)) return;
    expect(hideInAddresses(`see ${written}, or ask`)).toBe(`see ${address("[redacted]")}, or ask`);
    expect(hideInAddresses(JSON.stringify({ url: written, name: "n@x" }))).not.toMatch(/pa|ss"/);
  });
});

describe("an address keeps no part of a secret parameter", () => {
  test.each([
    ...["key", "code", "auth", "authtoken", "zapikey", "apikey", "api_key", "api-key", "pass", "pwd", "passwd", "jwt"],
    ...["token", "privatetoken", "private_token", "clientsecret", "dbpassword", "a[token]", "x:token", "$token", "sig"],
    ...["accessKey", "X-Amz-Signature", "a%5Btoken%5D", "hook.secret", "credential", "cred"],
  ])("by the name %s", (name) => {
    expect(hideInAddresses(`https://a.example/x?a=1&${name}=abcdef&b=2`)).toBe(
      `https://a.example/x?a=1&${name}=[redacted]&b=2`,
    );
  });

  test.each([
    "author",
    "keyset",
    "page_token",
    "nextPageToken",
    "encode",
    "passed",
    "public_key",
    "design",
    "monkey",
    "sort",
  ])("but not for the name %s", (name) => {
    const address = `https://a.example/x?${name}=abcdef`;
    expect(hideInAddresses(address)).toBe(address);
  });

  test.each(printable.filter((each) => !"&#".includes(each)))("with %s", (character) => {
    const address = (value: string) => `https://forge.example/a?b=1&token=${value}&c=2`;
    const written = address(`ab${character}cd`);
    expect(hideInAddresses(written)).toBe(address("[redacted]"));
    if (endsInText.includes(character)) return;
    expect(hideInAddresses(`see '${written}'`)).toBe(`see '${address("[redacted]")}'`);
  });

  test.each([
    ["curl 'https://forge.example/a?token=abc' -o x", "curl 'https://forge.example/a?token=[redacted]' -o x"],
    ["https://forge.example/a?b=1;token=abc", "https://forge.example/a?b=1;token=[redacted]"],
    [
      "https://forge.example/a?to=https://o.example/?token=abc&b=2",
      "https://forge.example/a?to=https://o.example/?token=[redacted]&b=2",
    ],
    ["/in?code=abc&b=2", "/in?code=[redacted]&b=2"],
    ["https://a.example/in?code=abc\n", "https://a.example/in?code=[redacted]\n"],
    // Nothing but an address has the names that only receivers use; a filter has none at all.
    [
      "Ask at https://wiki.example/?code=7&token=abc for help",
      "Ask at https://wiki.example/?code=7&token=[redacted] for help",
    ],
    ["(&(countryCode=040)(objectClass=user))", "(&(countryCode=040)(objectClass=user))"],
    ["(&(accessToken=040)(mail=a@b.example))", "(&(accessToken=040)(mail=a@b.example))"],
    ['{"a":"https://forge.example/a","mail":"n@x.example"}', '{"a":"https://forge.example/a","mail":"n@x.example"}'],
  ])("%s", (text, shown) => {
    expect(hideInAddresses(text)).toBe(shown);
  });
});

test.each([
  "https://a.example/in?key={k}&x=1",
  "https://{user}:{pass}@a.example/in",
  "https://{token}@a.example/{path}?token={t}",
])("%s has no secret: its URL variables are in their place", (address) => {
  expect(hideInAddresses(address)).toBe(address);
  expect(hideInAddresses(`see ${address} there`)).toBe(`see ${address} there`);
});

test.each([
  ["https://a.example/in?key={k}s3cret", "https://a.example/in?key=[redacted]"],
  ["https://a.example/in?code={3F2504E0-4F89-41D3}", "https://a.example/in?code=[redacted]"],
  ["https://a.example/in?key={k&token=s3cret}", "https://a.example/in?key=[redacted]&token=[redacted]"],
  ["https://{user}:s3cret@a.example/in", "https://[redacted]@a.example/in"],
])("%s has one beside them", (address, shown) => {
  expect(hideInAddresses(address)).toBe(shown);
});
