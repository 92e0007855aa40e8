import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { fleetSession } from "../support/fleet-server.ts";
import { type Session, sandboxSession } from "../support/session.ts";

// Hooks of projects and protected branches, which the service has and the API documents do not.

function write({ home }: Session, sections: string): void {
  writeFileSync(join(home, "f.yaml"), `forgectl: 1\nprojects: { acme/storefront: { ${sections} } }\n`);
}

const branches = async ({ run }: Session) => {
  const { stdout } = await run("api", "projects/acme%2Fstorefront/protected_branches");
  return JSON.parse(stdout) as Record<string, unknown>[];
};

const subjects = (levels: unknown) =>
  (levels as Record<string, number | null>[])
    .map(({ user_id, group_id, access_level }) => `${user_id ?? "-"} ${group_id ?? "-"} ${access_level ?? "-"}`)
    .sort();

test("who may push, merge, and unprotect is a set, and an update changes only what differs", async () => {
  const admin = await sandboxSession();
  const [main] = await branches(admin);
  write(
    admin,
    `protected_branches: [
      { name: main, allow_force_push: true,
        push_access_levels: [{ access_level: maintainer }, { username: dana.dixon }] },
      { name: "release/*", merge_access_levels: [{ group_id: 4 }, { user_id: 4 }], push_access_levels: [] },
      { name: "hotfix/*", push_access_levels: [], merge_access_levels: [{ access_level: developer }, { group_id: 4 }] }]`,
  );
  const applied = await admin.run("state", "apply", "-f", "f.yaml", "--yes", "-o", "json");
  const rows = JSON.parse(applied.stdout) as { address: string; status: string }[];
  const [place, found] = ["acme/storefront#protected_branches", await branches(admin)];
  expect([applied.code, rows.map(({ address, status }) => `${address} ${status}`).sort()]).toEqual([
    0,
    [`${place}/hotfix/* done`, `${place}/main done`],
  ]);
  const named = (name: string) => found.find((each) => each.name === name);
  expect(subjects(named("main")?.push_access_levels)).toEqual(["- - 40", "4 - -"]);
  const [held] = (main?.push_access_levels ?? []) as object[];
  expect(named("main")?.push_access_levels).toEqual(expect.arrayContaining([held]));
  expect(named("main")?.merge_access_levels).toEqual(main?.merge_access_levels);
  expect(subjects(named("hotfix/*")?.push_access_levels)).toEqual(["- - 0"]);
  expect(subjects(named("hotfix/*")?.merge_access_levels)).toEqual(["- - 30", "- 4 -"]);
});

test("a branch is unprotected with --prune alone, and comes back", async () => {
  const admin = await sandboxSession();
  const before = await branches(admin);
  write(admin, "protected_branches: [{ name: main }]");
  const plan = async (...words: string[]) =>
    (await admin.run("state", "plan", "-f", "f.yaml", "--fields", "address,action", "--no-header", ...words)).stdout;
  expect(await plan()).toBe("acme/storefront#protected_branches/release/*\textra\n");
  expect(await plan("--prune")).toBe("acme/storefront#protected_branches/release/*\tdelete\n");
  expect((await admin.run("state", "apply", "-f", "f.yaml", "--prune", "--yes")).code).toBe(0);
  expect((await branches(admin)).map(({ name }) => name)).toEqual(["main"]);
  expect((await admin.run("state", "rollback", "--yes")).code).toBe(0);
  const after = await branches(admin);
  const shown = (list: Record<string, unknown>[]) =>
    list.map(({ name, push_access_levels, merge_access_levels }) => [
      name,
      subjects(push_access_levels),
      subjects(merge_access_levels),
    ]);
  expect(shown(after)).toEqual(shown(before));
});

test("a hook of a project is made, disarmed, and armed again like one of a group", async () => {
  const admin = await sandboxSession();
  const hooks = async () => JSON.parse((await admin.run("api", "projects/acme%2Fstorefront/hooks")).stdout);
  write(admin, 'hooks: [{ name: CI, url: "https://ci.example/in", events: [push], token: { env: HOOK_TOKEN } }]');
  const env = { HOOK_TOKEN: "a-token" };
  const made = await admin.run("state", "apply", "-f", "f.yaml", "--yes", { env });
  expect([made.code, made.stdout]).toEqual([0, expect.stringContaining("#project_hooks/CI\tcreate\tdone")]);
  expect(await hooks()).toMatchObject([{ name: "CI", push_events: true, issues_events: false }]);
  write(admin, "hooks: []");
  expect((await admin.run("state", "apply", "-f", "f.yaml", "--prune", "--yes")).code).toBe(0);
  expect(await hooks()).toMatchObject([{ name: "CI", push_events: false }]);
  expect((await admin.run("state", "rollback", "--yes")).code).toBe(0);
  expect(await hooks()).toMatchObject([{ name: "CI", push_events: true }]);
});

test("an instance that has neither is unreadable, with why", async () => {
  const here = await fleetSession({ groups: ["acme"], projects: { "acme/storefront": { id: 7 } } });
  write(here, "hooks: [], protected_branches: []");
  const { code, stdout } = await here.run("state", "plan", "-f", "f.yaml", "-o", "json");
  const rows = JSON.parse(stdout) as { address: string; action: string; reason: string }[];
  expect([code, rows.map(({ address, action }) => `${address} ${action}`)]).toEqual([
    9,
    ["acme/storefront#project_hooks unreadable", "acme/storefront#protected_branches unreadable"],
  ]);
  for (const { reason } of rows)
    expect(reason).toContain("the API documents do not have it, and the instance may lack it");
});

test("hooks are not what has to do with groups: --only and keep name the kind", async () => {
  const admin = await sandboxSession();
  const only = async (kind: string) =>
    (await admin.run("state", "export", "-g", "acme", "-p", "acme/storefront", "--only", kind, "-O", "-")).stdout;
  expect(await only("project_hooks")).toMatch(/^projects:\n {2}acme\/storefront:\n {4}hooks: \[\]\n$/m);
  expect(await only("hooks")).toMatch(/^groups:\n {2}acme:\n {4}hooks:\n/m);
});

test("the headers of a project's hook, which its list does not have, are read, changed, and restored", async () => {
  const admin = await sandboxSession();
  const url = "https://one.example.com/in";
  const json = { url, note_events: true, push_events: false, custom_headers: [{ key: "X-Team", value: "ci" }] };
  writeFileSync(join(admin.home, "hook.json"), JSON.stringify(json));
  const made = await admin.run("api", "projects/acme%2Fstorefront/hooks", "-X", "POST", "--input", "hook.json");
  expect(made.code, made.stderr).toBe(0);
  const keys = async () => {
    const { id } = JSON.parse(made.stdout);
    const shown = await admin.run("api", `projects/acme%2Fstorefront/hooks/${id}`);
    return JSON.parse(shown.stdout).custom_headers.map(({ key }: { key: string }) => key);
  };
  const state = (verb: string, ...words: string[]) => admin.run("state", verb, "-f", "f.yaml", ...words, "-o", "json");
  // A new URL drops them.
  write(admin, `hooks: [{ id: ${JSON.parse(made.stdout).id}, url: "https://two.example.com/in", events: [note] }]`);
  expect((await state("plan")).stdout).toContain("a new url drops");
  write(admin, `hooks: [{ url: "${url}", events: [note], custom_headers: [{ key: X-Team, value: { env: TEAM } }] }]`);
  const same = await admin.run("state", "plan", "-f", "f.yaml", "--exit-code", { env: { TEAM: "ci" } });
  expect([same.code, same.stderr]).toEqual([0, expect.stringContaining("no change")]);
  write(admin, `hooks: [{ url: "${url}", events: [note], custom_headers: [] }]`);
  expect((await state("plan", "--exit-code")).code).toBe(10);
  expect((await state("apply", "--yes")).code).toBe(0);
  expect(await keys()).toEqual([]);
});

test.each([
  ['url: "https://two.example.com/in"', "custom_headers[0][key]=X-Team&custom_headers[0][value]=ci"],
  ['url: "https://two.example.com/in"', "token=changed-meanwhile"],
  ["branch_filter_strategy: all_branches", "push_events_branch_filter=main"],
])("what a reviewed change, %s, would take away besides is refused: %s", async (change, meanwhile) => {
  const admin = await sandboxSession({ asDeployed: true });
  const url = "https://one.example.com/in";
  const api = (path: string, ...words: string[]) =>
    admin.run("api", `projects/acme%2Fstorefront/hooks${path}`, ...words);
  const { stdout } = await api("", "-X", "POST", "-f", `url=${url}`, "-f", "branch_filter_strategy=wildcard");
  const { id } = JSON.parse(stdout) as { id: number };
  write(admin, `hooks: [{ id: ${id}, ${change.startsWith("url") ? "" : `url: "${url}", `}${change} }]`);
  expect((await admin.run("state", "plan", "-f", "f.yaml", "--save", "p.json")).code).toBe(0);
  const fields = meanwhile.split("&").flatMap((field) => ["-f", field]);
  const changed = await api(`/${id}`, "-X", "PUT", "-f", `url=${url}`, ...fields);
  expect(changed.code, changed.stderr).toBe(0);
  const before = (await api(`/${id}`)).stdout;
  const applied = await admin.run("state", "apply", "--plan", "p.json", "--yes");
  expect([applied.code, applied.stderr]).toEqual([6, expect.stringContaining("changed since the plan was made")]);
  expect((await api(`/${id}`)).stdout).toBe(before);
});

test("what comes between the plan and the change, and the change would take away, is not lost", async () => {
  const url = "https://one.example.com/in";
  let path = "";
  let isAdded = false;
  const { direct, ...admin } = await alteringSession(async (exchange) => {
    if (exchange.method !== "GET" || path === "" || isAdded || exchange.path !== `/api/v4/${path}`) return undefined;
    isAdded = true;
    const header = ["-f", "custom_headers[0][key]=X-Team", "-f", "custom_headers[0][value]=ci"];
    expect((await direct.run("api", path, "-X", "PUT", "-f", `url=${url}`, ...header)).code).toBe(0);
    return undefined;
  });
  const hooks = "projects/acme%2Fstorefront/hooks";
  const { stdout } = await direct.run("api", hooks, "-X", "POST", "-f", `url=${url}`);
  const { id } = JSON.parse(stdout) as { id: number };
  path = `${hooks}/${id}`;
  write(admin, `hooks: [{ id: ${id}, url: "https://two.example.com/in" }]`);
  const applied = await admin.run("state", "apply", "-f", "f.yaml", "--yes");
  expect([applied.code, isAdded], applied.stderr).toEqual([6, true]);
  const after = JSON.parse((await direct.run("api", path)).stdout);
  expect([after.url, after.custom_headers.length]).toEqual([url, 1]);
});
