import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession, never } from "../support/altering-proxy.ts";

// A run that is killed between the two requests of a replacement: the old link is removed, the new one not yet made.

const saml = `saml_group_links: [{ name: roles, access_level: maintainer }]`;
const ldap = `ldap_group_links: [{ cn: roles, provider: ldapmain, group_access: maintainer }]`;
const role = ["-g", "acme", "--member-role-id", "13"];

/** A link with a custom role, which an apply was to replace when it was killed. */
async function killed(kind: "saml" | "ldap", more = "provider: one") {
  let removed: () => void = () => undefined;
  const when = new Promise<void>((resolve) => {
    removed = resolve;
  });
  let isCut = false;
  const admin = await alteringSession(
    ({ method }) => {
      if (!isCut || method !== "DELETE") return undefined;
      removed();
      return never;
    },
    { asDeployed: true },
  );
  const state = (links: string) =>
    writeFileSync(join(admin.home, "state.yaml"), `forgectl: 1\ngroups: { acme: { ${links} } }\n`);
  const named = { saml: ["roles", "--provider", "one"], ldap: ["--cn", "roles", "--provider", "ldapmain"] }[kind];
  await admin.direct.run(kind, "links", "add", ...named, ...role, "--access-level", "30");
  const link = async () => {
    const { stdout } = await admin.direct.run(kind, "links", "list", "-g", "acme", "-o", "json");
    const links: Record<string, unknown>[] = JSON.parse(stdout);
    return links.find((each) => (each.name ?? each.cn) === "roles");
  };
  const before = await link();
  expect(before).toMatchObject({ member_role_id: 13 });
  state(kind === "saml" ? saml.replace(" }", `, ${more} }`) : ldap);
  isCut = true;
  await admin.run("state", "apply", "-f", "state.yaml", "--yes", {
    asProcess: true,
    kill: { signal: "SIGKILL", when },
  });
  isCut = false;
  expect(await link()).toBeUndefined();
  const apply = (...words: string[]) => admin.run("state", "apply", "-f", "state.yaml", "--yes", ...words);
  return { ...admin, apply, state, link, before };
}

test.each(["saml", "ldap"] as const)("the next apply adds the %s link with what the old one had", async (kind) => {
  const { run, apply, link, before } = await killed(kind);
  const { code, stderr } = await apply();
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/a run has removed it, and did not record that it added it again/),
  ]);
  expect(await link()).toEqual({ ...before, [kind === "saml" ? "access_level" : "group_access"]: 40 });
  expect((await run("state", "plan", "-f", "state.yaml", "--exit-code")).code).toBe(0);
});

test("so does a saved plan, and a rollback of the run restores it whole", async () => {
  const { run, link, before } = await killed("saml");
  expect((await run("state", "plan", "-f", "state.yaml", "--save", "plan.json")).code).toBe(0);
  expect((await run("state", "apply", "--plan", "plan.json", "--yes")).code).toBe(0);
  expect(await link()).toEqual({ ...before, access_level: 40 });
  expect((await run("state", "rollback", "--yes")).code).toBe(0);
  expect((await run("state", "rollback", "--yes")).code).toBe(0);
  expect(await link()).toEqual(before);
});

test("a link that was added and removed since is added as the file has it", async () => {
  const { apply, state, link } = await killed("saml");
  await apply();
  state("saml_group_links: []");
  expect((await apply("--prune", "--max-delete", "all")).code).toBe(0);
  state(saml);
  const { stderr } = await apply();
  expect(stderr).not.toContain("a run has removed");
  expect(await link()).toMatchObject({ access_level: 40, member_role_id: null });
});

test("a rollback of the run that added it leaves what the old one had to the next", async () => {
  const { run, apply, link, before } = await killed("saml");
  await apply();
  for (const verb of ["of the apply", "again"]) {
    expect((await run("state", "rollback", "--yes")).code, verb).toBe(0);
    expect(await link(), verb).toBeUndefined();
    expect((await apply()).stderr, verb).toContain("a run has removed it");
    expect(await link(), verb).toEqual({ ...before, access_level: 40 });
  }
});

test("so does a rollback by name, of what another run has added again since", async () => {
  const { run, apply, link, before } = await killed("saml");
  await apply();
  const { stdout } = await run("state", "history", "--jq", ".[0].run");
  const first = stdout.trim();
  expect((await run("state", "rollback", "--yes")).code).toBe(0);
  await apply();
  expect((await run("state", "rollback", first, "--yes")).code).toBe(0);
  expect(await link()).toBeUndefined();
  expect((await apply()).stderr).toContain("a run has removed it");
  expect(await link()).toEqual({ ...before, access_level: 40 });
});

test("a rollback of the run that added it once it was removed since does not", async () => {
  const { run, apply, state, link } = await killed("saml");
  await apply();
  state("saml_group_links: []");
  await apply("--prune", "--max-delete", "all");
  state(saml);
  await apply();
  expect((await run("state", "rollback", "--yes")).code).toBe(0);
  expect((await apply()).stderr).not.toContain("a run has removed");
  expect(await link()).toMatchObject({ access_level: 40, member_role_id: null });
});

test("what the run that was killed was to take away does not come back", async () => {
  const { apply, state, link } = await killed("saml", "member_role_id: null");
  state(saml);
  await apply();
  expect(await link()).toMatchObject({ access_level: 40, member_role_id: null });
});
