import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxSession } from "../../support/session.ts";

test("branch-unprotected-by-all: without a rule every Maintainer may unprotect, which no one is not", async () => {
  const { home, run } = await sandboxSession({ asDeployed: true });
  const path = "projects/acme%2Fstorefront/protected_branches/main";
  const rules = async () =>
    JSON.parse((await run("api", path)).stdout).unprotect_access_levels as { id: number; access_level: number }[];
  const [{ id } = { id: 0 }] = await rules();
  const input = JSON.stringify({ allowed_to_unprotect: [{ id, _destroy: true }] });
  expect((await run("api", "-X", "PATCH", path, "--input", "-", { input })).code).toBe(0);
  expect(await rules()).toEqual([]);
  const write = (branches: string) =>
    writeFileSync(
      join(home, "f.yaml"),
      `forgectl: 1\nprojects: { acme/storefront: { protected_branches: [${branches}] } }\n`,
    );
  const planned = async (level: string) => {
    write(`{ name: main, unprotect_access_levels: [${level === "" ? "" : `{ access_level: ${level} }`}] }`);
    return (await run("state", "plan", "-f", "f.yaml", "--exit-code")).code;
  };
  expect([await planned(""), await planned("maintainer")]).toEqual([0, 0]);
  expect([await planned("admin"), await planned("no_one")]).toEqual([10, 10]);
  const refused = await run("state", "apply", "-f", "f.yaml", "--yes");
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("invalid")]);
  write("");
  expect((await run("state", "apply", "-f", "f.yaml", "--prune", "--max-delete", "all", "--yes")).code).toBe(0);
  expect((await run("state", "rollback", "--yes")).code).toBe(0);
  expect((await rules()).map(({ access_level: level }) => level)).toEqual([40]);
});
