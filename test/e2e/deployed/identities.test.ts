import { beforeAll, expect, test } from "vitest";
import { requestsIn, sandboxSession } from "../../support/session.ts";

const log: string[] = [];
const self = await sandboxSession({ asDeployed: true, log: (line) => log.push(line) });
const hosted = await sandboxSession({ asDeployed: true, hosting: "hosted" });

const words = (line: string) => line.split(" ");

/** A group whose path contains a dot. */
beforeAll(async () => {
  const owner = self.as("owner");
  await owner.run(...words("groups download -g acme -O acme.tar.gz"));
  await owner.run(...words("groups import acme.tar.gz --name Dotted --path dotted.group"));
});

test("lists-without-pages: lists of identities and links end, with each row once, at any page size", async () => {
  for (const [session, line, count] of [
    [hosted, "saml identities list -g acme", 44],
    [hosted, "scim identities list -g acme", 45],
    [hosted, "saml links list -g acme", 4],
    [self, "ldap links list -g acme", 4],
  ] as const) {
    for (const limit of ["all", "200"]) {
      const filter = "[length, (map(tostring) | unique | length)] | tostring";
      const listed = await session.run(...words(line), "--per-page", "2", "-L", limit, "--jq", filter);
      expect([line, limit, listed]).toEqual([line, limit, { code: 0, stdout: `[${count},${count}]\n`, stderr: "" }]);
    }
  }
});

test("saml-links-401: a missing group or permission is not blamed on the token", async () => {
  for (const [session, group] of [
    [self, "no-such-group"],
    [self.as("developer"), "acme"],
  ] as const) {
    const { code, stderr } = await session.run(...words("saml links list -g"), group);
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining(
        "cause: the group does not exist, is not visible to this token, or its user lacks the Owner role there; the token itself may be valid",
      ),
    ]);
  }
});

test("saml-no-provider: a 400 without a reason gets one", async () => {
  const { code, stderr } = await hosted.run(...words("saml identities list -g initech"));
  expect([code, stderr]).toEqual([1, expect.stringContaining("cause: no SAML provider is set up in this group\n")]);
});

test("saml-link-provider: links with the same name are distinguished", async () => {
  const links = (line: string) => self.run(...words(`saml links ${line} -g acme`));
  await links("add Ops --access-level 30 --provider saml_1");
  expect((await links("add Ops --access-level 40 --provider saml_2 --jq .provider")).stdout).toBe("saml_2\n");
  const either = await links("get Ops");
  expect([either.code, either.stderr]).toEqual([1, expect.stringContaining("specify a provider parameter")]);
  expect(either.stderr).toContain(
    "try:   name the one that is meant with --provider: forgectl saml links list -g acme\n",
  );
  expect((await links("get Ops --provider saml_2 --jq .access_level")).stdout).toBe("40\n");
  expect((await links("remove Ops --provider saml_1 --yes")).code).toBe(0);
  expect((await links("list --fields name,provider --no-header")).stdout).toContain("Ops\tsaml_2\n");
});

test("ldap-no-links: no links is an empty list; a missing group is an error", async () => {
  const none = await self.run(...words("ldap links list -g open-tools -o json"));
  expect(none).toEqual({ code: 0, stdout: "[]\n", stderr: "" });
  expect((await self.run(...words("ldap links list -g nowhere"))).code).toBe(3);
});

test("no-dots-in-paths: a path or a username with a dot is resolved to an ID first", async () => {
  requestsIn(log);
  const line = "ldap links add -g dotted.group --cn ops --provider ldapmain --access-level 30 --jq .cn";
  expect((await self.run(...words(line))).stdout).toBe("ops\n");
  expect(requestsIn(log)).toEqual([
    "GET /api/v4/groups/dotted.group 200",
    // Whether the link is the group's first.
    expect.stringMatching(/^GET \/api\/v4\/groups\/\d+\/ldap_group_links 404$/),
    expect.stringMatching(/^POST \/api\/v4\/groups\/\d+\/ldap_group_links 201$/),
  ]);
  expect((await self.run(...words("saml links list -g dotted.group -o json"))).stdout).toBe("[]\n");
  requestsIn(log);
  expect((await self.run(...words("events list --user dana.dixon -L 1 -q --jq .[].author_username"))).stdout).toBe(
    "dana.dixon\n",
  );
  expect(requestsIn(log)).toEqual(["GET /api/v4/users 200", "GET /api/v4/users/4/events 200"]);
});

test("uids-without-case: a new UID equal to another's ignoring case conflicts until that one changes", async () => {
  const dana = "dana.dixon@acme.example";
  const upper = dana.toUpperCase();
  const change = words("saml identities update olivia.ortega@acme.example -g acme --extern-uid");
  expect((await hosted.run(...change, upper)).stderr).toContain("has already been taken");
  const remap = words("saml identities remap -g acme --map - --yes --no-header");
  const taken = await hosted.run(...remap, { input: `olivia.ortega@acme.example,${upper}\n` });
  expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining(`user 4 has the new UID ${dana}`)]);
  const input = `olivia.ortega@acme.example,${upper}\n${dana},Olivia.Ortega@acme.example\n`;
  expect(await hosted.run(...remap, { input })).toMatchObject({ code: 0 });
  expect((await hosted.run(...words("saml identities get -g acme --jq .user_id"), upper)).stdout).toBe("2\n");
});

test("uids-without-case: an identity of SCIM that is found in another case is not taken for the one that was named", async () => {
  const { run } = await sandboxSession({ asDeployed: true, hosting: "hosted" });
  const upper = "DANA.DIXON@ACME.EXAMPLE";
  expect((await run(...words("scim identities get -g acme --jq .extern_uid"), upper)).stdout).toBe(
    "dana.dixon@acme.example\n",
  );
  const remap = words("scim identities remap -g acme --map - --yes --no-header");
  const missing = await run(...remap, { input: `${upper},dana@acme.example\n` });
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("one has dana.dixon@acme.example")]);
  expect(await run(...remap, { input: `dana.dixon@acme.example,${upper}\n` })).toMatchObject({ code: 0 });
});

test("saml-uid-untrusted: a change of a SAML identity's UID, and what undoes it, says that its sign-in is refused", async () => {
  const { run } = await sandboxSession({ asDeployed: true, hosting: "hosted" });
  const uid = "dana.dixon@acme.example";
  const warned = expect.stringMatching(/^warning: newer instances refuse .* sign-in through the identity provider/m);
  const still = "# newer instances refuse the sign-in also then, until the account is linked again";
  const one = (kind: string, wanted: string, ...more: string[]) =>
    run(kind, "identities", "update", "-g", "acme", uid, "--extern-uid", wanted, ...more);
  expect((await one("saml", "dana", "--dry-run")).stderr).toEqual(warned);
  expect((await one("saml", uid)).stderr).not.toContain("warning:");
  const { stderr: changed } = await one("saml", "dana");
  expect([changed, changed]).toEqual([warned, expect.stringContaining(still)]);
  const many = (kind: string, input: string, ...more: string[]) =>
    run(...words(`${kind} identities remap -g acme --map -`), ...more, { input });
  expect((await many("saml", "dana,d\n", "--dry-run")).stderr).toEqual(warned);
  const remapped = await many("saml", "dana,d\n", "--yes");
  expect([remapped.code, remapped.stderr, remapped.stderr]).toEqual([
    ...[0, warned, expect.stringContaining("; the reverse map does not change that\n")],
  ]);
  for (const { code, stderr } of [await one("scim", "dana"), await many("scim", "dana,d\n", "--yes")])
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/refus/)]);
});

test("ldap-members-stay: the question says that the members of the last link stay", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const { code, stderr } = await run(..."ldap links remove -g acme --cn leads --provider ldapmain".split(" "));
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("cause: members whom the last LDAP link of a server added stay in the group\n"),
  ]);
});
