import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requestsIn, sandboxSession } from "../support/session.ts";

// The SAML and LDAP links of a group give access together: a file may move a link from one list to the other, as to
// another identity provider. If it is not added there, no member loses access.

interface Row {
  action: string;
  status: string;
  error: string | null;
}

const saml = '{ name: Movers, access_level: "developer" }';
const ldap = "{ cn: movers, provider: ldapmain, group_access: 30 }";

/** What is planned for a group with links of both kinds, and applied on an instance with this fault. */
async function applied(lists: string, fault?: string) {
  const log: string[] = [];
  const admin = await sandboxSession({ log: (line) => log.push(line), ...(fault && { faults: fault }) });
  writeFileSync(join(admin.home, "state.yaml"), `forgectl: 1\ngroups: { acme: { ${lists} } }\n`);
  log.length = 0;
  const line = "state apply -f state.yaml --prune --max-delete all --yes -o json";
  const { code, stdout } = await admin.run(...line.split(" "));
  const rows = JSON.parse(stdout) as Row[];
  const removals = requestsIn(log).filter((each) => each.startsWith("DELETE"));
  return { code, removed: rows.filter(({ action }) => action === "delete"), removals };
}

const failed = "an addition to one of its lists failed";
test.each([
  ["a SAML link that is refused keeps the LDAP links", "saml", `saml_group_links: [${saml}], ldap_group_links: []`],
  ["an LDAP link that is refused keeps the SAML links", "ldap", `saml_group_links: [], ldap_group_links: [${ldap}]`],
])("%s", async (_, refused, lists) => {
  const { code, removed, removals } = await applied(lists, `POST /groups/acme/${refused}_group_links=403`);
  expect([code, removals]).toEqual([9, []]);
  expect(removed.map(({ status }) => status)).toEqual(removed.map(() => "skipped"));
  expect(removed.map(({ error }) => error)).toContain(failed);
});

test("links of a list that cannot be read keep those of the other", async () => {
  const lists = `saml_group_links: [${saml}], ldap_group_links: []`;
  const { code, removed, removals } = await applied(lists, "GET /groups/acme/saml_group_links=403");
  expect([code, removals]).toEqual([9, []]);
  expect(removed.map(({ error }) => error)).toContain("an entry of one of its lists could not be read or compared");
});

test("what is added in one list frees the other, and so does a list that is to be empty", async () => {
  const moved = await applied(`saml_group_links: [${saml}], ldap_group_links: []`);
  expect([moved.code, moved.removals.length > 1]).toEqual([0, true]);
  const none = await applied("saml_group_links: [], ldap_group_links: []", "GET /groups/acme/saml_group_links=403");
  expect([none.code, none.removals.length]).toEqual([9, none.removed.length]);
});
