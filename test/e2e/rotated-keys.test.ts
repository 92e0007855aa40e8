import { expect, test } from "vitest";
import { signedIn } from "../support/answering.ts";

// The old key of a rotation is reported as deleted only if the list no longer has it.

const key = (id: number) => ({
  id,
  active: true,
  public_key: `glet_${id}`,
  tracker_dsn: `https://glet_${id}@x.example/7`,
});

/** A project with the keys 1 and 2, whose DELETE is answered with 404; the list shows key 1 for `lagMs` more. */
const project = (lagMs: number) => {
  let sentAt = Number.POSITIVE_INFINITY;
  return signedIn((request, response) => {
    const isDelete = request.method === "DELETE";
    if (isDelete) sentAt = performance.now();
    const keys = performance.now() - sentAt >= lagMs ? [key(2)] : [key(1), key(2)];
    response.writeHead(isDelete ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(isDelete ? { message: "404 Not found" } : keys));
  });
};

const words = "errors keys rotate 1 -p 7 --new-key 2 --reveal --yes -o json".split(" ");

test("a 404 of a key that is still listed is no deletion", async () => {
  const { run, seen } = await project(Number.POSITIVE_INFINITY);
  const { code, stderr } = await run(...words);
  expect(code).toBe(3);
  const { error } = JSON.parse(stderr);
  expect(error.message).toBe(
    "the rotation is not finished: error tracking key 2 (new) works, and 1 (old) may have been deleted",
  );
  expect(error.hint).not.toContain("delete 2");
  expect(seen.filter((line) => line.startsWith("DELETE"))).toHaveLength(1);
});

test.each([0, 500])(
  "a key that another user has deleted meanwhile is one, even while it is listed for %i ms",
  async (lagMs) => {
    const { run } = await project(lagMs);
    const { code, stderr } = await run(...words);
    expect([code, stderr]).toEqual([0, "error tracking key 1 is deleted; 2 replaces it\n"]);
  },
);

test("an empty list is no proof that the old key is deleted", async () => {
  let asked = false;
  const { run } = await signedIn((request, response) => {
    asked ||= request.method === "DELETE";
    const isDelete = request.method === "DELETE";
    response.writeHead(isDelete ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(isDelete ? { message: "404 Not found" } : asked ? [] : [key(1), key(2)]));
  });
  const { code, stderr } = await run(...words);
  expect([code, stderr]).toEqual([3, expect.stringContaining("the rotation is not finished")]);
});

/** A project whose first DELETE is made and not answered, and the next one refused; `lists`: whether keys still are. */
const losing = (status: number, lists: boolean) => {
  let keys = [key(1), key(2)];
  return signedIn((request, response) => {
    const isDelete = request.method === "DELETE";
    const isFirst = isDelete && keys.length === 2;
    if (isFirst) keys = [key(2)];
    if (isFirst) return void request.socket.destroy();
    const isRefused = isDelete || (keys.length === 1 && !lists);
    response.writeHead(isRefused ? status : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(isRefused ? { message: "no" } : keys));
  });
};

test.each([409, 429])(
  "a deletion whose answer was lost, and then a %i: the list shows that it was made",
  async (status) => {
    const { run } = await losing(status, true);
    const { code, stderr } = await run(...words, "--retries", "1");
    expect([code, stderr]).toEqual([0, "error tracking key 1 is deleted; 2 replaces it\n"]);
  },
);

test.each([409, 403])("if no list shows it after a %i, no line deletes the key that is left", async (status) => {
  const { run } = await losing(status, false);
  const { error } = JSON.parse((await run(...words, "--retries", "1")).stderr);
  expect(error).toMatchObject({
    message: "the rotation is not finished: error tracking key 2 (new) works, and 1 (old) may have been deleted",
    outcome: "unknown",
    retryable: false,
  });
  expect(error.hint).not.toContain("delete 2");
});
