import { expect, test } from "vitest";
import { listOwnEvents, listProjectEvents, listUserEvents } from "../../../src/api/endpoints/events.ts";
import { uploadRequests } from "../../../src/api/endpoints/uploads.ts";
import { UsageError } from "../../../src/base/errors.ts";
import { choose } from "../../../src/verbs/choose.ts";

test.each([
  [{ project: "7", upload_id: 1 }, "DELETE /projects/:project/uploads/:upload_id"],
  [{ project: "7", secret: "s", filename: "f" }, "DELETE /projects/:project/uploads/:secret/:filename"],
  [{ group: "acme", project: undefined, upload_id: 1 }, "DELETE /groups/:group/uploads/:upload_id"],
  [{ group: "acme", secret: "s", filename: "f" }, "DELETE /groups/:group/uploads/:secret/:filename"],
])("%j is for %s", (input, route) => {
  expect(choose(uploadRequests.delete, input).route).toBe(route);
});

const events = [listUserEvents, listProjectEvents, listOwnEvents] as const;

test("without input it is the one that needs none", () => {
  expect(choose(events, {})).toBe(listOwnEvents);
  expect(choose(events, { project: "7" })).toBe(listProjectEvents);
});

test("if two are given, neither is chosen", () => {
  expect(() => choose(events, { user: "3", project: "7" })).toThrow(UsageError);
});
