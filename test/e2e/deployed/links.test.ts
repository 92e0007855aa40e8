import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxSession } from "../../support/session.ts";

const words = (line: string) => line.split(" ");
const kinds = [
  ["saml", "add Ops", "first SAML link a group loses each member"],
  ["ldap", "add --cn ops --provider ldapmain", "first LDAP link of a server a group loses"],
] as const;

test.each(kinds)("links-remove-members: %s links add warns of a group's first link only", async (kind, add, text) => {
  const { run } = await sandboxSession({ asDeployed: true });
  const line = `${kind} links ${add} -g acme/mobile --access-level reporter`;
  const planned = await run(...words(`${line} --dry-run`));
  expect([planned.code, planned.stderr]).toEqual([0, expect.stringContaining(text)]);
  const first = await run(...words(line));
  expect([first.code, first.stderr]).toEqual([0, expect.stringContaining(text)]);
  expect(first.stderr).toMatch(/^undo: .*links remove.*# members who lost their membership .* do not get it back$/m);
  const second = await run(...words(line.replace(/Ops|ops/, "Dev")));
  expect([second.code, second.stderr]).toEqual([0, expect.not.stringContaining(text)]);
});

test("links-remove-members: ldap links add warns of the first link of each server", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const add = (cn: string) =>
    run(...words(`ldap links add --cn ${cn} --provider ldapsecond -g acme --access-level reporter`));
  expect((await add("ops")).stderr).toContain("first LDAP link of a server");
  expect((await add("dev")).stderr).not.toContain("first LDAP link of a server");
});

test("links-remove-members: a plan says what a group's first links begin, and who stays after the last", async () => {
  const place = await sandboxSession({ asDeployed: true, as: "owner" });
  const planOf = async (group: string, ...lines: string[]) => {
    writeFileSync(join(place.home, "links.yaml"), ["forgectl: 1", "groups:", `  ${group}:`, ...lines, ""].join("\n"));
    return place.run(...words("state plan -f links.yaml --prune"));
  };
  const link = "      - { name: Ops, access_level: reporter }";
  const first = await planOf("acme/mobile", "    saml_group_links:", link);
  expect(first.stderr).toContain("acme/mobile#saml_group_links: with its first SAML link");
  const other = await planOf("acme", "    saml_group_links:", link);
  expect(other.stderr).not.toContain("with its first SAML link");
  const stay = "members whom the last SAML link of a group added stay in the group";
  expect(other.stderr).not.toContain(stay);
  expect((await planOf("acme", "    saml_group_links: []")).stderr).toContain(`acme#saml_group_links: ${stay}`);
  const { code, stderr } = await place.run(...words("saml links remove Engineering -g acme"));
  expect([code, stderr]).toEqual([2, expect.stringContaining(stay)]);
});
