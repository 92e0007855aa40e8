import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";
import { stateTrials } from "../support/state-trial.ts";

// The key that an entry is shown by depends on its list: a SAML link has its provider in it beside another link of the
// same name. A run that is killed between the two leaves one that is shown without.

const text = `forgectl: 1
groups:
  acme/platform:
    saml_group_links:
      - { name: Shared, provider: one, access_level: guest }
      - { name: Shared, provider: two, access_level: guest }
`;
const apply = "state apply -f state.yaml --yes -o ndjson".split(" ");
const rollback = "state rollback --yes -o ndjson".split(" ");

test.each([1, 2])(
  "of two links of one name, %i are made when the run is killed: none remains after the rollback",
  {
    timeout: 120_000,
  },
  async (count) => {
    const at = await stateTrials();
    const before = await at.exported();
    const { requests } = await at.run(at.ready(text), apply);
    const posts = requests.flatMap((request, index) => (request.startsWith("POST ") ? [index] : []));
    expect(posts).toHaveLength(2);

    const place = at.ready(text);
    const killed = await at.run(place, apply, { at: posts[count - 1] ?? 0, when: "after", what: "SIGKILL" });
    expect(killed.code).toBeNull();
    expect(await at.exported()).not.toBe(before);
    const undone = await at.run(place, rollback);
    expect([undone.code, undone.stdout.trim().split("\n").length]).toEqual([0, count]);
    expect(await at.exported()).toBe(before);
  },
);

test("of two links of one name, the one without a provider is created beside the other", async () => {
  const { home, run } = await sandboxSession();
  writeFileSync(
    join(home, "state.yaml"),
    "forgectl: 1\ngroups: { acme/mobile: { saml_group_links: [\n" +
      "  { name: Twin, provider: one, access_level: guest }, { name: Twin, access_level: developer }] } }\n",
  );
  await run(..."saml links add Twin -g acme/mobile --access-level guest --provider one".split(" "));
  const applied = await run(..."state apply -f state.yaml --yes --no-header".split(" "));
  expect([applied.code, applied.stdout]).toEqual([0, "acme/mobile#saml_group_links/Twin\tcreate\tdone\t\n"]);
  expect((await run(..."state plan -f state.yaml --exit-code".split(" "))).code).toBe(0);
  const { stdout } = await run(..."saml links list -g acme/mobile --no-header -o tsv".split(" "));
  expect(stdout).toBe("Twin\t10\t\tone\nTwin\t30\t\t\n");
});

test("a link whose replacement is killed comes back with what the file does not declare", {
  timeout: 120_000,
}, async () => {
  const at = await stateTrials();
  const links = (more: string) => `forgectl: 1
groups: { acme/platform: { saml_group_links: [{ name: Custom, access_level: ${more} }] } }
`;
  /** A place where the link exists, and the file changes only its level. */
  const withLink = async () => {
    const place = at.ready(links("developer, member_role_id: 12"));
    expect((await at.run(place, apply)).code).toBe(0);
    const exported = await at.exported();
    writeFileSync(join(place.home, "state.yaml"), links("maintainer"));
    return { place, exported };
  };
  const { requests } = await at.run((await withLink()).place, apply);
  const removal = requests.findIndex((request) => request.startsWith("DELETE "));

  const { place, exported } = await withLink();
  expect(exported).toContain("member_role_id: 12");
  const killed = await at.run(place, apply, { at: removal, when: "after", what: "SIGKILL" });
  expect(killed.code).toBeNull();
  expect(await at.exported()).not.toContain("Custom");
  expect((await at.run(place, rollback)).code).toBe(0);
  expect(await at.exported()).toBe(exported);
});

test("what a run created under a name from a variable is a row of each rollback, as no record has the name", async () => {
  const { home, run } = await sandboxSession({ asDeployed: true });
  const lines = [
    ...["forgectl: 1", "groups:", "  acme:"],
    "    saml_group_links: [{ name: { env: TEAM }, access_level: developer }]",
    "    ldap_group_links: [{ cn: { env: TEAM }, provider: ldapmain, group_access: developer }]",
    "projects:",
    "  acme/storefront:",
    "    container_registry_access_level: private",
    "    protected_environments: [{ name: { env: TEAM }, deploy_access_levels: [{ access_level: developer }] }]",
  ];
  writeFileSync(join(home, "state.yaml"), lines.join("\n"));
  const env = { TEAM: "crew" };
  const made = await run(...apply, { env });
  const id = /state rollback (\S+)/.exec(made.stderr)?.[1] ?? "";
  expect([made.code, made.stdout.trim().split("\n").length]).toEqual([0, 4]);
  const rows = async (more: Record<string, string>) => {
    const { code, stdout } = await run("state", "rollback", id, "--yes", "-o", "ndjson", { env: more });
    const all = stdout.trim().split("\n").filter(Boolean);
    return [code, ...all.map((line) => JSON.parse(line)).map(({ address, status }) => `${address} ${status}`)];
  };
  const left = ["acme#saml_group_links/$TEAM", "acme#ldap_group_links/ldapmain/$TEAM"];
  const unknown = [...left, "acme/storefront#protected_environments/$TEAM"].map((each) => `${each} unreadable`);
  expect(await rows(env)).toEqual([9, ...unknown, expect.stringContaining(" done")]);
  // Neither what the variable is now, nor what the object is now, tells that it is gone.
  const change = "state apply -f state.yaml --yes".split(" ");
  const others = lines.filter((line) => !line.includes("container_registry")).join("\n");
  writeFileSync(join(home, "state.yaml"), others.replaceAll("developer", "maintainer"));
  expect((await run(...change, { env })).code).toBe(0);
  for (const now of [{}, env, { TEAM: "other" }]) expect(await rows(now)).toEqual([9, ...unknown]);
  // Of a list without any other object, it is known.
  for (const { name, provider } of JSON.parse((await run(..."saml links list -g acme -o json".split(" "))).stdout)) {
    const own = provider === null ? [] : ["--provider", provider];
    expect((await run("saml", "links", "remove", name, "-g", "acme", "--yes", ...own)).code).toBe(0);
  }
  expect(await rows(env)).toEqual([9, ...unknown.slice(1)]);
});

test.each(["one", "{ env: FIRST }"])(
  "of two links of one name with the providers %s and { env: SECOND }",
  async (first) => {
    const { home, run } = await sandboxSession({ asDeployed: true });
    const links = ["FIRST", "SECOND"].map(
      (name, at) => `{ name: Shared, provider: ${at === 0 ? first : `{ env: ${name} }`}, access_level: guest }`,
    );
    const file = `forgectl: 1\ngroups: { acme/platform: { saml_group_links: [${links.join(", ")}] } }\n`;
    writeFileSync(join(home, "state.yaml"), file);
    const env = { FIRST: "one", SECOND: "two" };
    expect((await run(...apply, { env })).code).toBe(0);
    const { code, stdout } = await run(...rollback, { env });
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const isNamed = first === "one";
    expect([code, rows.map(({ status }) => status).sort()]).toEqual([
      9,
      [isNamed ? "done" : "unreadable", "unreadable"],
    ]);
  },
);

test("what does not distinguish an object may be from a variable", async () => {
  const { home, run } = await sandboxSession({ asDeployed: true });
  const hook = "hooks: [{ name: Plain, url: { env: URL }, events: [push] }]";
  writeFileSync(join(home, "state.yaml"), `forgectl: 1\ngroups: { acme: { ${hook} } }\n`);
  const env = { URL: "https://h.example/in" };
  expect((await run(...apply, { env })).code).toBe(0);
  const { code, stdout } = await run(...rollback, { env });
  expect([code, JSON.parse(stdout).status]).toEqual([0, "done"]);
});

describe("a link whose provider is from a variable", () => {
  const file = (level: string) =>
    `forgectl: 1\ngroups: { acme/mobile: { saml_group_links: [{ name: Team, provider: { env: IDP }, access_level: ${level} }] } }\n`;
  const statusOf = (text: string) =>
    text
      .trim()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line).status);
  const at = async () => {
    const place = await sandboxSession({ asDeployed: true });
    const applied = (level: string, idp: string, ...more: string[]) => {
      writeFileSync(join(place.home, "state.yaml"), file(level));
      return place.run(...apply, ...more, { env: { IDP: idp } });
    };
    const links = async () =>
      (await place.run("saml", "links", "list", "-g", "acme/mobile", "-o", "csv", "--no-header")).stdout;
    return { ...place, applied, links };
  };

  test("is not the one of another provider, which another apply made", async () => {
    const { run, applied, links } = await at();
    expect((await applied("maintainer", "one", "--record", "one.ndjson")).code).toBe(0);
    expect((await applied("maintainer", "two", "--prune")).code).toBe(0);
    const before = await links();
    expect(before).toMatch(/^Team,.*two\n$/);
    const { code, stdout } = await run("state", "rollback", "one.ndjson", "--yes", "-o", "ndjson", {
      env: { IDP: "one" },
    });
    expect([code, statusOf(stdout), await links()]).toEqual([9, ["unreadable"], before]);
  });

  test("is not created again without it", async () => {
    const { run, applied, links } = await at();
    expect((await applied("maintainer", "one")).code).toBe(0);
    const replaced = await applied("guest", "one");
    expect(replaced.code).toBe(0);
    const shown = await links();
    const { code, stdout } = await run(...rollback, { env: { IDP: "one" } });
    expect([code, statusOf(stdout), await links()]).toEqual([9, ["unreadable"], shown]);
  });
});
