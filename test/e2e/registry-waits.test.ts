import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";

/** The first check of a wait fails with this status; later ones are answered normally. */
function faultySession(isRead: (path: string) => boolean, status: number) {
  let changed = false;
  let failed = false;
  return alteringSession(({ method, path }) => {
    changed ||= method !== "GET";
    if (method !== "GET" || !changed || failed || !isRead(path)) return undefined;
    failed = true;
    return { status, body: { message: "not now" } };
  });
}

const waits = [
  [
    "registry delete 14 -p 7 --wait --yes --jq .[].status",
    (path: string) => path.includes("/registry/repositories/14"),
    "deleted",
  ],
  [
    "registry tags prune 12 -p 7 --delete-regex feature-c.* --repeat --yes --jq .status",
    (path: string) => path.includes("/tags"),
    "done",
  ],
  ["relations export -p 7 --wait --jq length>5", (path: string) => path.includes("/export_relations/status"), "true"],
] as const;

test.each(waits)("%s tolerates a temporary error", async (line, isRead, end) => {
  const { run } = await faultySession(isRead, 500);
  expect(await run(...line.split(" "), "--retries", "0")).toMatchObject({ code: 0, stdout: `${end}\n` });
});

test.each(waits)("%s: if checking is forbidden, the output says that it was started", async (line, isRead) => {
  const { run } = await faultySession(isRead, 403);
  const { code, stderr } = await run(...line.replace(/ --jq .*/, "").split(" "), "-o", "json");
  const { error } = JSON.parse(stderr);
  expect([code, error.outcome, error.retryable]).toEqual([5, "made", false]);
  expect(error.message).toMatch(/^(?:the change was made|the deletion of repository 14 is scheduled)/);
});
