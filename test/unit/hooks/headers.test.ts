import { describe, expect, test } from "vitest";
import { parseHeaders } from "../../../src/commands/hooks/headers.ts";
import { checkUrl } from "../../../src/commands/hooks/url.ts";
import { withoutSecrets } from "../../../src/commands/hooks/view.ts";

const typed = (...texts: string[]) => parseHeaders(texts.map((text) => ({ text, where: "--header" })));

describe("headers", () => {
  test("are key and value, trimmed", () => {
    expect(typed("X-A: b:c ", "x.y:")).toEqual([
      { key: "X-A", value: "b:c" },
      { key: "x.y", value: "" },
    ]);
  });

  test.each([
    ["X-Key hunter22", "it has no colon"],
    ["X-Key: hunter22\nX-B: hunter22", "must not contain a line break"],
    ["X-Key: a\rhunter22", "must not contain a line break"],
    ["hunter22 X: a", "is not a valid header name"],
    [": hunter22", "is not a valid header name"],
  ])("%j is refused without being repeated", (text, message) => {
    expect(() => typed(text)).toThrow(message);
    expect(() => typed(text)).not.toThrow("hunter22");
  });

  test("are each given once, case-insensitively", () => {
    expect(() => typed("X-A: 1", "x-a: 2")).toThrow("x-a is given twice");
  });
});

describe("a hook's URL", () => {
  test.each(["https://hooks.example.com", "http://127.0.0.1:8080/in?a=b", "HTTPS://x/{token}"])(
    "%s is accepted",
    (url) => {
      expect(() => checkUrl(url, "<url>")).not.toThrow();
    },
  );

  test.each([
    ["hooks.example.com/in", "<url>: the URL has no scheme"],
    ["//hooks.example.com", "<url>: the URL has no scheme"],
    ["localhost:8080", "<url>: the URL has no scheme"],
    ["ftp://hooks.example.com", "<url>: must start with https:// or http://"],
    ["https://hooks.example.com/a b", "<url>: the URL contains white space"],
    ["https://", "<url>: is not a URL"],
  ])("%s is refused", (url, message) => {
    expect(() => checkUrl(url, "<url>")).toThrow(message);
  });
});

describe("a delivery", () => {
  const shown = (request_headers: object, response_headers: object = {}) =>
    withoutSecrets({ id: 1, request_headers, response_headers }) as Record<string, Record<string, string>>;

  test("shows the platform's own headers, with any vendor prefix, and masks all others", () => {
    const own = {
      "Content-Type": "application/json",
      "User-Agent": "x",
      "Idempotency-Key": "1",
      "X-Acme-Event": "Push Hook",
      "X-Acme-Forge-Webhook-UUID": "2",
      "X-Acme-Instance": "3",
      "X-Acme-Event-UUID": "4",
    };
    const { request_headers } = shown({ ...own, "X-Acme-Token": "hush", "X-Deploy": "hush", Authorization: "hush" });
    expect(request_headers).toEqual({
      ...own,
      "X-Acme-Token": "[redacted]",
      "X-Deploy": "[redacted]",
      Authorization: "[redacted]",
    });
  });

  test("masks secret fields of the receiver's answer, and takes its time from it", () => {
    const answered = shown({}, { "set-cookie": "a=b", server: "x", date: "Fri, 20 Nov 2026 03:46:17 GMT" });
    expect(answered.response_headers).toMatchObject({ "set-cookie": "[redacted]", server: "x" });
    expect(answered.response_date).toBe("2026-11-20T03:46:17.000Z");
    expect(shown({}).response_date).toBeNull();
    expect(shown({}, { Date: "soon" }).response_date).toBeNull();
  });
});
