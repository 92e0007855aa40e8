import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";

// A project's list shows the protected branches of its group besides its own, which may have the same name.

test("the branches that a group protects are not taken for the project's own", async () => {
  const level = [{ id: 950, access_level: 60, access_level_description: "Administrators" }];
  const ofGroup = (name: string, id: number) => ({
    id,
    name,
    push_access_levels: level,
    merge_access_levels: level,
    unprotect_access_levels: level,
    allow_force_push: false,
    code_owner_approval_required: true,
    inherited: true,
  });
  const { run, home, seen, direct } = await alteringSession(({ method, path, body }) =>
    method === "GET" && /\/protected_branches(?:\?|$)/.test(path)
      ? { body: [ofGroup("main", 900), ...(body as object[]), ofGroup("group-wide", 901)] }
      : undefined,
  );
  const branches = async () =>
    JSON.parse((await direct.run("api", "projects/acme%2Fstorefront/protected_branches")).stdout) as object[];
  const before = await branches();
  const only = ["--only", "protected_branches"];
  expect((await run("state", "export", "-p", "acme/storefront", ...only, "-O", "f.yaml")).code).toBe(0);
  expect(readFileSync(join(home, "f.yaml"), "utf8")).not.toContain("group-wide");
  const plan = ["state", "plan", "-f", "f.yaml", "--prune", "--exit-code"];
  expect(await run(...plan)).toMatchObject({ code: 0 });
  const write = (list: string) =>
    writeFileSync(
      join(home, "f.yaml"),
      `forgectl: 1\nprojects: { acme/storefront: { protected_branches: ${list} } }\n`,
    );
  write("[]");
  const apply = ["state", "apply", "-f", "f.yaml", "--prune", "--max-delete", "all", "--yes"];
  expect((await run(...apply)).code).toBe(0);
  expect(await branches()).toEqual([]);
  expect((await run("state", "rollback", "--yes")).code).toBe(0);
  const withoutIds = (list: readonly object[]) => JSON.stringify(list).replace(/"id":\d+/g, "");
  expect(withoutIds(await branches())).toBe(withoutIds(before));
  write("[{ name: group-wide, allow_force_push: true }]");
  expect((await run("state", "apply", "-f", "f.yaml", "--yes")).code).toBe(0);
  expect(seen.filter((each) => /^(?:POST|PATCH) .*protected_branches/.test(each)).at(-1)).toMatch(/^POST .* 201$/);
});
