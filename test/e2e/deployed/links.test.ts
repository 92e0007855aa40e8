import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../../support/altering-proxy.ts";
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

test("link-dots: no other link is shown or removed in place of the one that was named", async () => {
  const { run, home } = await sandboxSession({ asDeployed: true, as: "owner" });
  const typed = (line: string) => run(...line.split(" "));
  const names = async () =>
    JSON.parse((await typed("saml links list -g acme --jq [.[].name] -o json")).stdout) as string[];
  await typed("saml links add Team.Leads -g acme --access-level guest");
  const missing = await typed("saml links remove Team.Leads -g acme --yes");
  expect([missing.code, missing.stderr]).toEqual([3, expect.stringContaining("a name with a dot")]);
  await typed("saml links add Team -g acme --access-level maintainer");
  const before = await names();
  expect(before).toEqual(expect.arrayContaining(["Team", "Team.Leads"]));
  const shown = await typed("saml links get Team.Leads -g acme");
  expect([shown.code, shown.stdout, shown.stderr]).toEqual([
    1,
    "",
    expect.stringMatching(/^cause: the instance answers with Team in place of Team\.Leads\ntry: /m),
  ]);
  for (const line of [
    "saml links remove Team.Leads -g acme --yes",
    "each --groups-file g --yes -- saml links remove Team.Leads",
  ]) {
    writeFileSync(join(home, "g"), "acme\n");
    const refused = await typed(line);
    expect([refused.code !== 0, refused.stdout + refused.stderr]).toEqual([
      true,
      expect.stringContaining("some releases change it in place of Team.Leads"),
    ]);
  }
  for (const [list, how] of [
    ['{ name: "Team.Leads", access_level: developer }', ""],
    ["{ name: Team, access_level: maintainer }", " --prune --max-delete all"],
  ]) {
    writeFileSync(join(home, "s.yaml"), `forgectl: 1\ngroups: { acme: { saml_group_links: [${list}] } }\n`);
    expect((await typed(`state apply -f s.yaml --yes${how}`)).code).toBeGreaterThan(0);
    expect(await names()).toEqual(expect.arrayContaining(["Team", "Team.Leads"]));
  }
  expect((await typed("saml links remove Team -g acme --yes")).code).toBe(0);
  for (const cn of ["dev", "dev.team"])
    await typed(`ldap links add -g acme --cn ${cn} --provider ldapmain --access-level guest`);
  for (const provider of ["", " --provider ldapmain"]) {
    const { code, stderr } = await typed(`ldap links remove -g acme --cn dev.team${provider} --legacy --yes`);
    expect([code, stderr]).toEqual([1, expect.stringContaining("dev exists too")]);
  }
  expect((await typed("ldap links remove -g acme --cn dev.team --provider ldapmain --yes")).code).toBe(0);
});

test("link-dots: no other header of a webhook is removed either", async () => {
  const { run, seen } = await alteringSession(
    () => undefined,
    { asDeployed: true },
    (path) => path.replace(/(custom_headers\/[^./]+)\.[^./]+$/, "$1"),
  );
  const typed = (line: string) => run(...line.split(" "));
  const headers = ["--header", "X-Team: one", "--header", "X-Team.Leads: two", "--header", "X-Other.Leads: three"];
  const made = await run(..."hooks create https://a.example/ -g acme --events push --jq .id".split(" "), ...headers);
  const id = made.stdout.trim();
  const refused = await typed(`hooks update ${id} -g acme --remove-header X-Team.Leads`);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("X-Team exists too")]);
  expect(seen.filter((each) => each.startsWith("DELETE"))).toEqual([]);
  expect((await typed(`hooks update ${id} -g acme --remove-header X-Other.Leads`)).code).not.toBe(0);
  const left = await typed(`hooks get ${id} -g acme --jq [.custom_headers[].key] -o json`);
  expect(JSON.parse(left.stdout)).toEqual(["X-Team", "X-Team.Leads", "X-Other.Leads"]);
});
