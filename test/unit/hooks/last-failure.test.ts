import { expect, test } from "vitest";
import { failureWords } from "../../../src/commands/hooks/last-failure.ts";

test.each([
  ["503", "{}", 0.2, "answered 503 Service Unavailable"],
  ["302", "", 0.2, "answered 302 Found"],
  ["599", "", 0.2, "answered 599"],
  [404, null, 0.2, "answered 404 Not Found"],
  // An instance does not report why there was no answer: the duration distinguishes a refusal from a timeout.
  ["internal error", "", 10.003, "no answer after 10s"],
  ["internal error", "", 0.004, "no answer after 0s"],
  ["internal error", null, null, "no answer"],
  [null, undefined, undefined, "no answer"],
  ["internal error", "no answer within 3 seconds", 3, "no answer within 3 seconds"],
  ["internal error", "\nconnection refused\r\nand more", 0.1, "no answer: connection refused"],
  ["internal error", "x".repeat(200), 0.1, `no answer: ${"x".repeat(120)}...`],
  ["certificate has expired", "", 0.1, "no answer: certificate has expired"],
])("status %j, body %j, after %j s: %s", async (response_status, response_body, execution_duration, words) => {
  expect(await failureWords({ response_status, response_body, execution_duration })).toBe(words);
});
