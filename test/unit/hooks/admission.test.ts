import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../src/commands/hooks/listen/admission.ts";

const head = (headers: Record<string, string> = {}, more: { method?: string; target?: string } = {}) => ({
  method: "POST",
  target: "/",
  ...more,
  headers: Object.entries({ Host: "127.0.0.1:9000", ...headers }),
});
const statusOf = (given: Parameters<typeof refusalOf>[0], token?: string) => refusalOf(given, token)?.status;

describe("by name and origin", () => {
  test.each(["127.0.0.1", "127.0.0.1:9000", "127.9.9.9", "localhost", "LOCALHOST:80", "[::1]:9000"])(
    "%s is accepted",
    (Host) => expect(statusOf(head({ Host }))).toBeUndefined(),
  );

  test.each(["", "evil.example", "127.0.0.1.evil.example", "localhost:9000@evil.example", "0.0.0.0", "[::2]"])(
    "%j is refused",
    (Host) => expect(statusOf(head({ Host }))).toBe(421),
  );

  test("no name, two names, and a whole address as the target", () => {
    expect(statusOf({ method: "POST", target: "/", headers: [] })).toBe(421);
    const twice = {
      method: "POST",
      target: "/",
      headers: [
        ["Host", "localhost"],
        ["host", "localhost"],
      ] as const,
    };
    expect(statusOf(twice)).toBe(421);
    expect(statusOf(head({}, { target: "http://evil.example/" }))).toBe(421);
    expect(statusOf(head({}, { target: "http://localhost:9000/in" }))).toBeUndefined();
  });

  test("browser requests are refused, also from a page on this machine, and before the token is checked", () => {
    for (const headers of [
      { Origin: "null" },
      { origin: "http://127.0.0.1:9000" },
      { "Sec-Fetch-Site": "same-origin" },
    ]) {
      expect(statusOf(head(headers), "secret")).toBe(403);
    }
    expect(statusOf(head({}, { method: "GET" }), "secret")).toBe(405);
  });
});

describe("by token", () => {
  test("any vendor's header; no other one", () => {
    for (const name of ["X-Service-Token", "x-forge-token", "X-My-Own-Token"]) {
      expect(statusOf(head({ [name]: "secret" }), "secret")).toBeUndefined();
    }
    for (const name of ["Authorization", "X-Token", "Token", "X-Service-Tokens", "PRIVATE-TOKEN"]) {
      expect(refusalOf(head({ [name]: "secret" }), "secret")).toMatchObject({ status: 401, reason: "no token" });
    }
  });

  test("it must match exactly, byte by byte", () => {
    for (const wrong of ["", "Secret", "secret ", "secre", "secrets"]) {
      expect(refusalOf(head({ "X-Service-Token": wrong }), "secret")).toMatchObject({ status: 401, isDelivery: true });
    }
    const bytes = Buffer.from("tökén", "utf8").toString("latin1");
    expect(statusOf(head({ "X-Service-Token": bytes }), "tökén")).toBeUndefined();
    expect(statusOf(head({ "X-Service-Token": "tökén" }), "tökén")).toBe(401);
  });

  test("without an expected token, none is required", () => {
    expect(statusOf(head({ "X-Service-Token": "whatever" }))).toBeUndefined();
  });
});
