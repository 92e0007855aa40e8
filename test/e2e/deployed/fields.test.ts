import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxSession } from "../../support/session.ts";

const words = (line: string) => line.split(" ");
const [old, current] = [
  "allow_local_requests_from_hooks_and_services",
  "allow_local_requests_from_web_hooks_and_services",
];

test("fields-of-answers: fields that instances lack are empty, and theirs are in the JSON", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const author = await run(...words("notes list --issue 28 -p 7 -L 1 -o json --jq .[0].author|keys"));
  const names = JSON.parse(author.stdout);
  expect(names).toContain("public_email");
  expect(names).not.toContain("email");
  const job = await run(...words('api projects/7/jobs/1001 --jq has("queued_duration"),has("download_url")'));
  expect(job.stdout).toBe("true\nfalse\n");
});

test("settings-with-two-names: both names of a setting have one value", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  expect((await run(...words(`settings set ${current}=true --yes`))).code).toBe(0);
  expect((await run(...words(`settings get ${old}`))).stdout).toBe("true\n");
});

test("saml-link-role: without custom roles, the role of a link is not stored", async () => {
  const { run } = await sandboxSession({ asDeployed: true, tier: "premium" });
  const add = await run(...words("saml links add Staff -g globex --access-level developer --member-role-id 12"));
  expect([add.code, add.stderr]).toEqual([
    9,
    expect.stringContaining("cause: sent member_role_id 12, the instance stored nothing\n"),
  ]);
  const link = await run(...words("saml links get Staff -g globex -o json --jq .member_role_id"));
  expect([link.code, link.stdout]).toEqual([0, "null\n"]);
});

test("saml-link-role: nor is the role of an LDAP link", async () => {
  const { run } = await sandboxSession({ asDeployed: true, tier: "premium" });
  const line = "ldap links add -g acme --cn support --provider ldapmain --access-level guest";
  const add = await run(...words(line), "--member-role-id", "12");
  expect([add.code, add.stderr]).toEqual([
    9,
    expect.stringContaining("cause: sent member_role_id 12, the instance stored nothing\n"),
  ]);
  expect((await run(...words(line.replace("support", "sales")))).code).toBe(0);
  const shown = await run(...words("api groups/acme/ldap_group_links --jq"), '[.[] | has("member_role_id")] | any');
  expect(shown.stdout).toBe("false\n");
});

test("saml-link-role: the level of a link with a role is that of the role, which a plan says before it is replaced", async () => {
  const { home, run } = await sandboxSession({ asDeployed: true });
  const file = (role: string) => {
    const link = `{ name: Contractors/EMEA, access_level: developer${role} }`;
    writeFileSync(join(home, "state.yaml"), `forgectl: 1\ngroups: { acme: { saml_group_links: [${link}] } }\n`);
  };
  const reason = "instances give it the level of custom role 12, whatever the file says";
  file("");
  expect((await run(...words("state plan -f state.yaml"))).stderr).toContain(reason);
  const applied = await run(...words("state apply -f state.yaml --yes --no-header"));
  expect([applied.code, applied.stdout]).toEqual([
    9,
    expect.stringContaining("not_taken\tit was removed and added again, and is as it was before"),
  ]);
  file(", member_role_id: null");
  const { code, stderr } = await run(...words("state apply -f state.yaml --yes"));
  expect([code, stderr]).toEqual([0, expect.not.stringContaining(reason)]);
});

test("projects-of-many: lists leave out what a filter excludes, and show what is shared", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const archived = await run(...words("api projects -F archived=true -X GET --jq .[].path_with_namespace"));
  expect(archived.stdout).toBe("open-tools/legacy-cli\n");
  const shared = await run(...words("projects list -g acme/mobile --fields path_with_namespace --no-header"));
  expect(shared.stdout.split("\n")).toContain("globex/brand-assets");
  const below = await run(...words("api groups/acme/descendant_groups --jq length"));
  expect(below.stdout).toBe("3\n");
});

test("hooks-and-branches-of-projects: both are read with requests of one's own", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const branches = await run(...words("api projects/7/protected_branches --jq .[].name"));
  expect([branches.code, branches.stdout]).toEqual([0, "main\nrelease/*\n"]);
  expect((await run(...words("api projects/7/hooks --jq length"))).stdout).toBe("0\n");
});
