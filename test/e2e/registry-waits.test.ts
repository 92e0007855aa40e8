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

test("a list that has lost even the tags that stay does not prove that the others are deleted", async () => {
  let before: unknown;
  let looks = 0;
  const { run, seen } = await alteringSession(({ method, path, body }) => {
    if (method !== "GET" || !path.includes("/tags?") || path.includes("keyset")) return undefined;
    if (!seen.some((line) => line.startsWith("DELETE"))) {
      before = body;
      return undefined;
    }
    looks += 1;
    return { body: looks === 1 ? [] : before };
  });
  const line = "registry tags prune 12 -p 7 --delete-regex v1.* --via bulk --wait --wait-timeout 2 --yes -o json";
  const { code, stderr } = await run(...line.split(" "));
  expect([code, JSON.parse(stderr).error.message]).toEqual([8, "19 of 19 tags still exist"]);
});

test.each(waits)("%s: if checking is forbidden, the output says that it was started", async (line, isRead) => {
  const { run } = await faultySession(isRead, 403);
  const { code, stderr } = await run(...line.replace(/ --jq .*/, "").split(" "), "-o", "json");
  const { error } = JSON.parse(stderr);
  expect([code, error.outcome, error.retryable]).toEqual([5, "made", false]);
  expect(error.message).toMatch(/^(?:the change was made|the deletion of repository 14 is scheduled)/);
});

test.each([
  ...waits,
  ["relations pull out -p 7 --jq length", (path: string) => path.includes("/export_relations/status"), ""],
  ["groups export -g acme --wait --jq .status", (path: string) => path.includes("/export/download"), ""],
] as const)("%s: Ctrl-C during the wait says that it continues, and how to wait for it again", async (line, isRead) => {
  let changed = false;
  let waiting = () => {};
  const when = new Promise<void>((resolve) => {
    waiting = resolve;
  });
  const { run } = await alteringSession(({ method, path }) => {
    changed ||= method !== "GET";
    if (method !== "GET" || !changed || !isRead(path)) return undefined;
    waiting();
    return { status: 500, body: { message: "not now" } };
  });
  const words = line.replace(/ --jq .*/, "").split(" ");
  const { code, stderr } = await run(...words, "--retries", "0", "-o", "json", { kill: { signal: "SIGINT", when } });
  const { error } = JSON.parse(stderr.trim().split("\n").at(-1) ?? "");
  const again =
    /forgectl (?:relations (?:pull out|status) -p 7|groups download -g acme|registry delete 14|registry tags)/;
  expect([code, error]).toEqual([
    130,
    expect.objectContaining({
      ...{ outcome: "made", retryable: false },
      outcome_text: expect.stringMatching(/^it continues on the instance \((?:export|delet)ing /),
      hint: expect.stringMatching(again),
    }),
  ]);
});

test("a repository of a project that cannot be seen is not said to be deleted", async () => {
  let isTried = false;
  const { run } = await alteringSession(({ method, path }) => {
    isTried ||= method === "DELETE";
    if (method === "DELETE") return path.endsWith("/14") ? "lost" : undefined;
    return isTried && method === "GET" ? { status: 404, body: { message: "404 Not Found" } } : undefined;
  });
  const statusesOf = async (...words: string[]) => {
    isTried = false;
    const line = ["registry", "delete", ...words, "-p", "7", "--yes", "--retries", "0", "-o", "json"];
    const { code, stdout } = await run(...line);
    return [code, JSON.parse(stdout).map(({ status }: { status: string }) => status)];
  };
  expect(await statusesOf("14", "12")).toEqual([9, ["unknown", "scheduled"]]);
  expect(await statusesOf("12", "13", "--wait")).toEqual([9, ["made", "made"]]);
});
