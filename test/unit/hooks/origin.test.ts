import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { originOf } from "../../../src/commands/hooks/origin.ts";

const isVariable = "an address whose host is a variable";
const isDisputed = "an address whose host cannot be told";

describe("an address that says its host", () => {
  test.each([
    ["https://hooks.acme.example/ci", "hooks.acme.example", "https://hooks.acme.example"],
    ["HTTP://Hooks.acme.example:8080?x", "hooks.acme.example", "http://hooks.acme.example:8080"],
    [" ht\ttp://hooks.acme.example/\n", "hooks.acme.example", "http://hooks.acme.example"],
    ["https://ci:s3cret@hooks.acme.example/ci", "hooks.acme.example", "https://hooks.acme.example"],
    ["https://hooks.acme.example/{channel}/\\@x", "hooks.acme.example", "https://hooks.acme.example"],
    ["https://hooks.acme.example?to={channel}", "hooks.acme.example", "https://hooks.acme.example"],
    ["https://hooks.acme.example#{channel}@evil.example", "hooks.acme.example", "https://hooks.acme.example"],
    ["https://[::1]:9000/in", "[::1]", "https://[::1]:9000"],
  ])("%j", (url, host, text) => {
    expect(originOf(url)).toMatchObject({ host, text, receiver: text.replace(/^\w+:\/\//, "") });
  });
});

describe("an address that does not say its host is shown as it is, without credentials and path", () => {
  test.each([
    ["http://ci:{password}@hooks.acme.example/ci", isVariable, "http://[redacted]{password}@hooks.acme.example"],
    ["https://s3cret%7Bpassword%7d@hooks.acme.example/ci", isVariable, "https://[redacted]@hooks.acme.example"],
    ["https://{user}:{password}@a.example", isVariable, "https://{user}[redacted]{password}@a.example"],
    ["https://hooks.acme.example:{port}/ci", isVariable, "https://hooks.acme.example:{port}"],
    ["https://hooks.acme.example{tail}", isVariable, "https://hooks.acme.example{tail}"],
    ["https://{host}/s3cret", isVariable, "https://{host}"],
    ["{scheme}://hooks.acme.example/s3cret", isVariable, "{scheme}://hooks.acme.example"],
    ["http{s}://hooks.acme.example/s3cret", isVariable, "http{s}://hooks.acme.example"],
    ["{u}", isVariable, "{u}"],
    ["{u}/s3cret", isVariable, "{u}"],
    ["https://hooks.acme.example\\@evil.example/", isDisputed, "https://[redacted]@evil.example"],
    ["https:\\\\hooks.acme.example", isDisputed, "https:\\\\hooks.acme.example"],
    ["https://a@evil.example@hooks.acme.example/", isDisputed, "https://[redacted]@hooks.acme.example"],
    ["https://evil.example @hooks.acme.example/", isDisputed, "https://[redacted]@hooks.acme.example"],
    ["hooks.acme.example/s3cret", isDisputed, "hooks.acme.example"],
  ])("%j", (url, text, shown) => {
    expect(originOf(url)).toMatchObject({ host: undefined, text, receiver: `${text}: ${shown}` });
  });

  test("one that is empty has nothing to show", () => {
    expect(originOf("").receiver).toBe(isDisputed);
  });
});

test("the scheme is known if no variable can be a part of it", () => {
  const schemes = ["http://{h}/", " HT\nTP://a", "https://a", "https:{u}", "http{s}://a", "{u}", "ws://a"].map(
    (url) => originOf(url).scheme,
  );
  expect(schemes).toEqual(["http", "http", "https", "https", undefined, undefined, undefined]);
});

test("a host that is said is the receiver, with all values of the variables and for parsers of both standards", () => {
  const part = fc.constantFrom(
    "",
    "{v}",
    "%7Bv%7D",
    "a",
    "b.example",
    "\\",
    "@",
    ":",
    ":80",
    "/",
    "?",
    "#",
    "%40",
    " ",
  );
  const address = fc
    .tuple(fc.constantFrom("http://", "https://", "{v}://", "http{v}://", "{v}", "https:"), fc.array(part))
    .map(([scheme, parts]) => scheme + parts.join(""));
  const ends = ["x@127.0.0.1:1/", "evil.example/", "@evil.example", "\\", "/", "?", "#", ":", ".evil.example", "", "p"];
  const value = fc.constantFrom(...ends, "http://evil.example/");
  fc.assert(
    fc.property(address, value, (url, v) => {
      const { host, scheme } = originOf(url);
      const sent = url.replaceAll("{v}", v).replaceAll("%7Bv%7D", v).trim();
      if (scheme !== undefined) expect(sent.toLowerCase().startsWith(`${scheme}:`)).toBe(true);
      if (host === undefined) return;
      expect(new URL(sent).hostname).toBe(host);
      // RFC 3986, appendix B: only a slash, a question mark, or a number sign ends the authority.
      const authority = /^[^:/?#]+:\/\/([^/?#]*)/.exec(sent)?.[1];
      if (authority !== undefined && authority !== "") {
        expect(decodeURIComponent(authority.replace(/^[^@]*@/, "").replace(/:\d*$/, ""))).toBe(host);
      }
    }),
    { numRuns: 3000 },
  );
});
