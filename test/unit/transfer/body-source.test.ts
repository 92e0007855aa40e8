import { describe, expect, test } from "vitest";
import { endpoint } from "../../../src/api/endpoint.ts";
import { string } from "../../../src/api/field.ts";
import type { Context } from "../../../src/context.ts";
import { sourceOf } from "../../../src/transfer/body.ts";

describe("a source", () => {
  const params = { name: string(), token: string("", { secret: true }) };
  const plain = { summary: "Download", params, returns: "bytes", access: {} } as const;
  const thing = endpoint({ ...plain, route: "GET /things/:name" });
  const calls: unknown[] = [];
  const api = {
    download: async (...of: unknown[]) => {
      calls.push("download", ...of);
      return { status: 200, headers: {} };
    },
    planDownload: async (...of: unknown[]) => calls.push("plan", ...of),
  };
  const at = (url: string) => ({ api, config: { baseUrl: { value: url } } }) as unknown as Context;
  const named = (url: string, input: object) => sourceOf(at(url), thing, input as { name: string }).identity;

  test("is known by its address and what was asked, without secrets, in any order", () => {
    const id = named("https://a", { name: "n" });
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect(named("https://a", { token: "s3cret", name: "n", other: undefined })).toBe(id);
    expect(named("https://a", { x: 1, name: "n" })).toBe(named("https://a", { name: "n", x: 1 }));
    const others = [named("https://b", { name: "n" }), named("https://a", { name: "m" })];
    const elsewhere = endpoint({ ...plain, route: "GET /others/:name" });
    others.push(sourceOf(at("https://a"), elsewhere, { name: "n" }).identity);
    expect(new Set([id, ...others]).size).toBe(4);
  });

  test("is opened, or planned in a dry run, with what was asked", async () => {
    const source = sourceOf(at("https://a"), thing, { name: "n" }, { signedIn: "job" });
    await source.open({ start: 3, ifRange: '"v1"' });
    await source.plan("a.zip");
    const input = { name: "n" };
    expect(calls).toEqual([
      ...["download", thing, input, { signedIn: "job", start: 3, ifRange: '"v1"' }],
      ...["plan", thing, input, { signedIn: "job", file: "a.zip" }],
    ]);
  });
});
