import { expect, test } from "vitest";
import { sandboxSession } from "../../support/session.ts";

test("user-filters-dropped: a user who is not an administrator is warned that the list is not filtered", async () => {
  const log: string[] = [];
  const administrator = await sandboxSession({ asDeployed: true, log: (line) => log.push(line) });
  const line = "users list --created-after 7d --two-factor disabled -L 2 --fields id -q".split(" ");
  const developer = await administrator.as("developer").run(...line);
  expect(developer).toMatchObject({
    code: 0,
    stderr:
      "warning: dana.dixon is not an administrator, so the instance ignores --created-after, --two-factor: " +
      "the list may contain more users, or be in a different order\n",
  });
  expect((await administrator.run(...line)).stderr).toBe("");
  // The caller is looked up only if it matters.
  log.splice(0);
  expect((await administrator.as("developer").run("users", "list", "--search", "dana", "-q")).stderr).toBe("");
  expect(log).toHaveLength(1);
});
