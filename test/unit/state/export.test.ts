import { describe, expect, test } from "vitest";
import { UsageError } from "../../../src/base/errors.ts";
import { type ExportOptions, exportScopes } from "../../../src/state/export/export.ts";
import type { Scope } from "../../../src/state/kind.ts";
import { Commented, Remark } from "../../../src/state/yaml/yaml-comment.ts";
import { type Reply, scriptedInstance } from "../../support/scripted-instance.ts";

const store: Scope = { at: "project", name: "acme/storefront" };
const acme: Scope = { at: "group", name: "acme" };
const here = { "/projects/acme/storefront": { id: 7, path_with_namespace: "acme/storefront" } };
const group = { "/groups/acme": { id: 3, full_path: "acme" } };
const url = "https://a.example/in";
const on = { push_events: true };

type Answers = Readonly<Record<string, unknown>>;

/** What is exported of the scopes, from answers by path; everything else is forbidden. */
async function exported(scopes: readonly Scope[], answers: Answers, options?: ExportOptions) {
  const { context, log } = await scriptedInstance(({ path }): Reply => {
    return path in answers ? [200, answers[path]] : [403, { message: "403 Forbidden" }];
  });
  const updates: unknown[] = [];
  const start = (label: string, more: unknown) => {
    updates.push([label, more]);
    return { update: (done: unknown) => void updates.push(done), stop: () => void updates.push("stopped") };
  };
  Object.assign(context, { progress: { start } });
  const all = [];
  for await (const each of exportScopes(context, scopes, options)) all.push(each);
  return { all, updates, log: log() };
}

/** The hooks of a group, as a file declares them. */
async function hooksOf(live: readonly object[]) {
  const { all } = await exported([acme], { ...group, "/groups/acme/hooks": live }, { only: ["hooks"] });
  return all[0]?.sections.hooks;
}

/** A list within the section of the job tokens. */
async function listed(name: string, live: readonly object[]) {
  const path = `/projects/acme/storefront/job_token_scope/${name}`;
  const { all } = await exported([store], { ...here, [path]: live }, { only: [name] });
  return all[0]?.sections.job_token_scope;
}

describe("the scopes of an export", () => {
  const environments = (name: string) => `/projects/${name}/protected_environments`;
  const only = ["protected_environments", "error_tracking"];

  test("are in their order, each with its sections, and with what could not be read", async () => {
    const other = { at: "project", name: "acme/api" } as const;
    const { all, updates } = await exported(
      [store, other],
      {
        ...here,
        "/projects/acme/api": { id: 8, path_with_namespace: "acme/api" },
        [environments("acme/storefront")]: [],
        [environments("acme/api")]: [],
        "/projects/acme/api/error_tracking/settings": { active: true },
      },
      { only },
    );
    expect(all).toEqual([
      {
        scope: store,
        sections: { protected_environments: [] },
        unreadable: [{ kind: "error_tracking", reason: "usually this needs the Maintainer role" }],
      },
      { scope: other, sections: { protected_environments: [], error_tracking: { active: true } }, unreadable: [] },
    ]);
    expect(updates).toEqual([["reading", { total: 4, unit: "items" }], 1, 2, 3, 4, "stopped"]);
  });

  test("none of them is none", async () => {
    expect((await exported([], {})).all).toEqual([]);
  });

  test("two names of one project are refused", async () => {
    const byId = { ...here, "/projects/7": here["/projects/acme/storefront"] };
    const both = exported([store, { at: "project", name: "7" }], byId, { only });
    await expect(both).rejects.toThrow(UsageError);
    await expect(both).rejects.toThrow("acme/storefront and 7 are the same project");
  });

  test("a project and a group of one ID are two, and so are two that cannot be looked up", async () => {
    const names = (scopes: readonly Scope[], answers: Answers) =>
      exported(scopes, answers, { only }).then(({ all }) => all.map(({ scope }) => scope.name));
    const own = { "/groups/acme": { id: 7, full_path: "acme" }, "/groups/acme/hooks": [] };
    const both = await exported([acme, store], { ...here, ...own }, { only: [...only, "hooks"] });
    expect(both.all.map(({ scope }) => scope.name)).toEqual(["acme", "acme/storefront"]);
    expect(await names([store, { at: "project", name: "7" }], {})).toEqual(["acme/storefront", "7"]);
  });

  test("that have moved are unreadable under their old path", async () => {
    const moved = { "/projects/acme/storefront": { id: 7, path_with_namespace: "acme/shop" } };
    const { all } = await exported([store], moved, { only: ["error_tracking"] });
    expect(all[0]?.unreadable).toEqual([{ kind: "error_tracking", reason: "the project has moved to acme/shop" }]);
  });
});

describe("the kinds of an export", () => {
  const token = "/projects/acme/storefront/job_token_scope";
  const store7 = here["/projects/acme/storefront"];
  const answers = {
    ...here,
    [token]: { inbound_enabled: true, outbound_enabled: false },
    [`${token}/allowlist`]: [store7, { id: 9, path_with_namespace: "acme/api" }],
    [`${token}/groups_allowlist`]: [],
  };

  test.each<[only: string[], section: unknown]>([
    [["job_token_scope"], { inbound_enabled: true, allowlist: ["acme/api"], groups_allowlist: [] }],
    [["allowlist"], { allowlist: ["acme/api"] }],
    [["groups_allowlist", "allowlist"], { allowlist: ["acme/api"], groups_allowlist: [] }],
  ])("%j selects %j", async (only, section) => {
    const { all, log } = await exported([store], answers, { only });
    expect(all).toEqual([{ scope: store, sections: { job_token_scope: section }, unreadable: [] }]);
    expect(log).toHaveLength(1 + Object.keys(section as object).length);
  });

  test("without a selection are all of a scope", async () => {
    const { all } = await exported([acme], { ...group });
    expect(all[0]?.unreadable.map(({ kind }) => kind)).toEqual(["hooks", "saml_group_links", "ldap_group_links"]);
    expect(all[0]?.sections).toEqual({});
  });

  test("a record of one field is its value", async () => {
    const place = { ...here["/projects/acme/storefront"], container_registry_access_level: "private" };
    const { all } = await exported(
      [store],
      { "/projects/acme/storefront": place },
      { only: ["container_registry_access_level"] },
    );
    expect(all[0]?.sections).toEqual({ container_registry_access_level: "private" });
  });

  test("the settings have those that the documents do not name, unless only those are asked for", async () => {
    const settings = { "/application/settings": { id: 1, max_login_attempts: 5, a_setting_of_tomorrow: 1 } };
    const scope = { at: "instance", name: "" } as const;
    const of = async (options: ExportOptions) =>
      (await exported([scope], settings, { only: ["settings"], ...options })).all[0]?.sections;
    expect(await of({})).toEqual({
      settings: { max_login_attempts: 5, "": expect.any(Remark), a_setting_of_tomorrow: 1 },
    });
    expect(await of({ documented: true })).toEqual({ settings: { max_login_attempts: 5 } });
  });
});

describe("the entries of a list", () => {
  test("are in the order of their keys, and without those that are not managed", async () => {
    const hook = (id: number, name: string, more: object = on) => ({ id, name, url, ...more });
    const live = [hook(1, "C"), hook(2, "A"), hook(3, "B"), hook(4, "Off", { push_events: false })];
    const entry = (name: string) => ({ url, name, events: ["push"] });
    expect(await hooksOf(live)).toEqual([entry("A"), entry("B"), entry("C")]);
  });

  test("have their IDs only if they share a name", async () => {
    const live = [
      { id: 1, name: "A", url, ...on },
      { id: 2, name: "A", url, ...on },
      { id: 3, name: "B", url, ...on },
    ];
    expect(await hooksOf(live)).toMatchObject([{ id: 1, name: "A" }, { id: 2, name: "A" }, { name: "B" }]);
    expect(((await hooksOf(live)) as object[])[2]).not.toHaveProperty("id");
  });

  test("have their IDs where the file cannot have what identifies them", async () => {
    const live = [
      { id: 1, name: null, url: "https://u:p@a.example/in", ...on },
      { id: 2, name: null, url: "********", ...on },
    ];
    expect(await hooksOf(live)).toEqual([
      { id: 2, url: { env: "HOOKS_2_URL" }, events: ["push"] },
      { id: 1, url: { env: "HOOKS_1_URL" }, events: ["push"] },
    ]);
  });

  test("are read whole, with what their list leaves out", async () => {
    const path = "/projects/acme/storefront/protected_environments";
    const live = { name: "p", deploy_access_levels: [{ id: 1, access_level: 40 }] };
    const approval = { id: 2, user_id: 4, required_approvals: 2 };
    const answers = { ...here, [path]: [live], [`${path}/p`]: { ...live, approval_rules: [approval] } };
    const { all } = await exported([store], answers, { only: ["protected_environments"] });
    expect(all[0]?.sections.protected_environments).toEqual([
      {
        name: "p",
        deploy_access_levels: [{ access_level: "maintainer" }],
        approval_rules: [{ user_id: 4, required_approvals: 2 }],
      },
    ]);
  });

  test("links of one name differ by their providers, not by IDs", async () => {
    const link = (provider: string) => ({ name: "Leads", access_level: 30, provider });
    const path = "/groups/acme/saml_group_links";
    const { all } = await exported(
      [acme],
      { ...group, [path]: [link("two"), link("one")] },
      { only: ["saml_group_links"] },
    );
    expect(all[0]?.sections.saml_group_links).toEqual([
      { name: "Leads", access_level: "developer", provider: "one" },
      { name: "Leads", access_level: "developer", provider: "two" },
    ]);
  });

  test.each<[law: string, list: string, live: object, entry: unknown]>([
    ["a project is its path", "allowlist", { id: 9, path_with_namespace: "acme/api", name: "API" }, "acme/api"],
    [
      "a group is its ID with the path of its address",
      "groups_allowlist",
      { id: 9, name: "Mobile", web_url: "https://forge.example.com/groups/acme/mobile" },
      new Commented(9, "acme/mobile"),
    ],
    ["or with its name", "groups_allowlist", { id: 9, name: "Mobile", web_url: null }, new Commented(9, "Mobile")],
    ["without a name its ID alone", "groups_allowlist", { id: 9, name: "" }, 9],
    ["a name that is no text is none", "groups_allowlist", { id: 9, name: 4 }, 9],
  ])("%s", async (_law, list, live, entry) => {
    expect(await listed(list, [live])).toEqual({ [list]: [entry] });
  });
});
