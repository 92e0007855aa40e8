import { expect, test } from "vitest";
import { signedIn } from "../support/answering.ts";

// The old key of a rotation is reported as deleted only if the list no longer has it.

const key = (id: number) => ({
  id,
  active: true,
  public_key: `glet_${id}`,
  tracker_dsn: `https://glet_${id}@x.example/7`,
});

/** A project with the keys 1 and 2, whose DELETE is answered with 404; `keeps` is whether key 1 stays. */
const project = (keeps: boolean) => {
  let keys = [key(1), key(2)];
  return signedIn((request, response) => {
    const isDelete = request.method === "DELETE";
    if (isDelete && !keeps) keys = [key(2)];
    response.writeHead(isDelete ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(isDelete ? { message: "404 Not found" } : keys));
  });
};

const words = "errors keys rotate 1 -p 7 --new-key 2 --reveal --yes -o json".split(" ");

test("a 404 of a key that is still listed is no deletion", async () => {
  const { run, seen } = await project(true);
  const { code, stderr } = await run(...words);
  expect(code).toBe(3);
  expect(JSON.parse(stderr).error.message).toBe(
    "the rotation is not finished: error tracking keys 1 (old) and 2 (new) both work",
  );
  expect(seen.filter((line) => line.startsWith("DELETE"))).toHaveLength(1);
});

test("a key that another user has deleted meanwhile is", async () => {
  const { run } = await project(false);
  const { code, stderr } = await run(...words);
  expect([code, stderr]).toEqual([0, "error tracking key 1 is deleted; 2 replaces it\n"]);
});
