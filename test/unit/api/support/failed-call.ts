import type { FailedCall } from "../../../../src/api/failed-call.ts";

/** A change that failed. */
export const call: FailedCall = {
  method: "DELETE",
  path: "/api/v4/things/1",
  summary: "Delete a thing",
  access: { role: "maintainer" },
  credential: "access",
  repeatable: true,
};

/** An instance's own 404. */
export const none = { message: "404 Not found" };

/** What a server answered. */
export const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers,
  text: typeof body === "string" ? body : JSON.stringify(body),
});
