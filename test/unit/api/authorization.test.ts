import { expect, test } from "vitest";
import { DryRunStop } from "../../../src/api/api.ts";
import { createApi } from "../../../src/api/client.ts";
import { endpoint } from "../../../src/api/endpoint.ts";
import { Redactor } from "../../../src/api/redact.ts";

const remove = endpoint({ route: "DELETE /thing", summary: "Delete it", params: {}, returns: "nothing", access: {} });

/** A client of a dry run: it prepares requests and sends none. */
function dry(redactor: Redactor) {
  return createApi({
    baseUrl: () => "https://forge.example.com",
    registryUrl: () => "https://registry.example.com",
    credential: () => Promise.reject(new Error("the current token was asked for")),
    headerPrefix: "X-Service",
    concurrency: 1,
    dryRun: true,
    pause: async () => {},
    transport: () => Promise.reject(new Error("something was sent")),
    redactor,
  });
}

test("a caller's own credentials are redacted from then on, including the password", async () => {
  const redactor = new Redactor();
  const basic = `Basic ${Buffer.from("robot:correct horse").toString("base64")}`;
  await expect(dry(redactor).call(remove, {}, { authorization: basic })).rejects.toThrow(DryRunStop);
  await expect(dry(redactor).call(remove, {}, { authorization: "Bearer ey.abc" })).rejects.toThrow(DryRunStop);
  expect(redactor.json(["x correct horse y", "a ey.abc b", basic, "robot"])).toEqual([
    "x [redacted] y",
    "a [redacted] b",
    "Basic [redacted]",
    "robot",
  ]);
});
