import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../../src/base/errors.ts";
import { isLoopback } from "../../../src/base/loopback.ts";
import { insecure, normalizeBaseUrl, normalizeCiRegistry, normalizeRegistryUrl } from "../../../src/config/address.ts";

function refusal(text: string, normalize = normalizeBaseUrl): UsageError {
  try {
    normalize(text, "--base-url");
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error(`${text} was accepted`);
}

describe("a base URL", () => {
  test.each([
    ["https://forge.example.com", "https://forge.example.com"],
    ["https://forge.example.com/", "https://forge.example.com"],
    ["https://forge.example.com///", "https://forge.example.com"],
    ["https://forge.example.com/api/v4", "https://forge.example.com"],
    ["https://forge.example.com/api/v4/", "https://forge.example.com"],
    ["https://example.com/forge", "https://example.com/forge"],
    ["https://example.com/forge/api/v4/", "https://example.com/forge"],
    ["https://example.com/api/v40", "https://example.com/api/v40"],
    ["HTTPS://Forge.Example.COM:443/Tools", "https://forge.example.com/Tools"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["http://[::1]:8080/", "http://[::1]:8080"],
    ["  https://forge.example.com\n", "https://forge.example.com"],
  ])("%j is %s", (text, expected) => {
    expect(normalizeBaseUrl(text, "--base-url")).toBe(expected);
  });

  test.each([
    ["", "the address is empty"],
    ["   ", "the address is empty"],
    ["https://forge.example.com?x=1", "the address has a query or a fragment"],
    ["https://forge.example.com/#top", "the address has a query or a fragment"],
    ["https://forge.example.com/?", "the address has a query or a fragment"],
    ["https://forge .example.com", "the address contains spaces or other invalid characters"],
    ["https://forge.exam\nple.com", "the address contains spaces or other invalid characters"],
    ["https:\\\\forge.example.com", "the address contains spaces or other invalid characters"],
    ["ftp://forge.example.com", '"ftp://forge.example.com" is neither an https nor an http address'],
    ["file:///etc", '"file:///etc" is neither an https nor an http address'],
    ["https://", '"https://" is not a valid address'],
    ["https://forge.example.com:99999", '"https://forge.example.com:99999" is not a valid address'],
  ])("%j is refused", (text, problem) => {
    expect(refusal(text).message).toBe(`--base-url: ${problem}`);
  });

  test.each([
    ["forge.example.com", "write https://forge.example.com"],
    ["localhost:3000/forge", "write https://localhost:3000/forge"],
    ["//forge.example.com", "write https://forge.example.com"],
    ["https:forge.example.com", "write https://forge.example.com"],
    ["https:/forge.example.com", "write https://forge.example.com"],
  ])("%j lacks its scheme", (text, hint) => {
    const error = refusal(text);
    expect(error.message).toBe(`--base-url: "${text}" has no scheme`);
    expect(error.details.hint).toBe(hint);
  });

  test.each(["https:///forge", "http:////localhost/x", "https:///"])("%j names no host", (text) => {
    expect(refusal(text).message).toBe(`--base-url: "${text}" names no host`);
  });

  test.each([
    "https://user:hunter2@forge.example.com",
    "https://hunter2@forge.example.com",
    "https://@forge.example.com/hunter2",
    "user:hunter2@forge.example.com",
    "ftp://user:hunter2@forge.example.com",
    "https:/user:hunter2@forge.example.com",
    "https://user:hunter2/x@forge.example.com",
    "https://user:hunter2@for ge",
  ])("%s: credentials are refused and not repeated", (text) => {
    const error = refusal(text);
    expect(error.message).toBe("--base-url: the address has credentials in it");
    expect(JSON.stringify(error.details)).not.toContain("hunter2");
  });

  test("a secret in a query is not repeated", () => {
    const error = refusal("https://forge.example.com/?private_token=hunter2");
    expect(error.message + JSON.stringify(error.details)).not.toContain("hunter2");
  });

  test("normalizing is idempotent, and the result is always an http address", () => {
    const parts = fc.tuple(
      fc.constantFrom("https://", "http://", "HTTPS://"),
      fc.domain(),
      fc.constantFrom("", ":8080", ":443"),
      fc.array(fc.constantFrom("api", "v4", "api/v4", "forge", "", "%20", "."), { maxLength: 5 }),
    );
    fc.assert(
      fc.property(parts, ([scheme, host, port, path]) => {
        const once = normalizeBaseUrl(`${scheme}${host}${port}/${path.join("/")}`, "x");
        expect(normalizeBaseUrl(once, "x")).toBe(once);
        expect(once).not.toMatch(/\/$|\/api\/v4$/);
        expect(new URL(once).protocol).toMatch(/^https?:$/);
      }),
    );
  });

  test("any text is either an address or a usage error, and no text before an @ is returned", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 6 }), fc.string(), (secret, rest) => {
        const text = `https://u:${secret.replace(/[?#]/g, "")}s3cr3t@${rest}`;
        const error = refusal(text);
        expect(error.message + (error.details.hint ?? "")).not.toContain("s3cr3t");
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        try {
          expect(URL.canParse(normalizeBaseUrl(text, "x"))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
    );
  });
});

describe("a registry's address", () => {
  test("/v2 at its end is removed, a scheme is required", () => {
    expect(normalizeRegistryUrl("https://registry.example.com:5050/v2/", "x")).toBe(
      "https://registry.example.com:5050",
    );
    expect(refusal("registry.example.com:5050", normalizeRegistryUrl).details.hint).toBe(
      "write https://registry.example.com:5050",
    );
  });
  test("a CI job's comes without a scheme", () => {
    expect(normalizeCiRegistry("registry.example.com:5050", "CI_REGISTRY")).toBe("https://registry.example.com:5050");
    expect(normalizeCiRegistry("http://registry.example.com", "CI_REGISTRY")).toBe("http://registry.example.com");
    expect(refusal("u:hunter2@registry.example.com", normalizeCiRegistry).message).not.toContain("hunter2");
  });
});

test.each([
  ["http://localhost:3000", true],
  ["http://forge.localhost", true],
  ["http://127.0.0.1", true],
  ["http://127.9.9.9:80/x", true],
  ["http://[::1]:3000", true],
  ["http://[::ffff:127.0.0.1]", true],
  ["http://0.0.0.0", false],
  ["http://127.0.0.1.example.com", false],
  ["http://localhost.example.com", false],
  ["http://[::2]", false],
  ["http://[::ffff:8.8.8.8]", false],
])("%s on this machine: %s", (url, expected) => {
  expect(isLoopback(new URL(url))).toBe(expected);
  expect(insecure(url)).toBe(!expected);
});

test("https is never insecure", () => {
  expect(insecure("https://forge.example.com")).toBe(false);
});
