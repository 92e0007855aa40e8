import { expect, test } from "vitest";
import { sandboxSession } from "../../support/session.ts";

test("project-and-group-lookup: by ID and by path, for anyone who can see it", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const found = await run("api", "projects/acme%2Fstorefront", "--jq", ".id, .path_with_namespace");
  expect(found).toMatchObject({ code: 0, stdout: "7\nacme/storefront\n" });
  const group = await run("api", "groups/1", "--jq", ".full_path");
  expect(group).toMatchObject({ code: 0, stdout: "acme\n" });
});
