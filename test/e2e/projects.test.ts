import { beforeAll, expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

let owner: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  owner = await sandboxSession({ as: "owner" });
});

const run = (...words: Parameters<typeof owner.run>) => owner.run("projects", ...words);

test("projects of a group include those of its subgroups; FORGECTL_GROUP has no effect", async () => {
  const paths = ["--fields", "path_with_namespace", "--no-header"];
  expect((await run("list", "-g", "acme", "--search", "gateway", ...paths)).stdout).toBe("acme/platform/gateway\n");
  const all = await run("list", "--search", "linter", ...paths, { env: { FORGECTL_GROUP: "acme" } });
  expect(all.stdout).toBe("open-tools/plugins/linter\n");
});

test("projects of a group are not limited to the user's membership", async () => {
  expect(await run("list", "-g", "acme", "--membership")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("error: --membership: not with -g/--group\n"),
  });
});

test("a project is found by its ID or its path", async () => {
  const [byId, byPath] = [await run("get", "7", "-o", "json"), await run("get", "acme/storefront", "-o", "json")];
  expect(byId).toEqual(byPath);
  expect(JSON.parse(byId.stdout)).toMatchObject({ id: 7, path_with_namespace: "acme/storefront" });
});
