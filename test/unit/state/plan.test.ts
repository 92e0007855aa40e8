import { describe, expect, test } from "vitest";
import type { Change } from "../../../src/state/kind.ts";
import { hooksKind } from "../../../src/state/kinds/hooks.ts";
import { isRemoval, isWrite, listOf } from "../../../src/state/plan/plan.ts";
import { managed } from "../../../src/state/plan/plan-unit.ts";
import { changeOf } from "../../support/compared.ts";
import {
  acme,
  caller,
  declares,
  group,
  instanceWith,
  links,
  project,
  registry,
  shop,
} from "../../support/planned-state.ts";

describe("a plan is for one instance", () => {
  test("a file for another one is refused before anything is read", async () => {
    const { plan, log } = await instanceWith({});
    await expect(plan("instance: https://other.example\nsettings: { signup_enabled: false }")).rejects.toMatchObject({
      message: expect.stringMatching(/^a:2: the file is for https:\/\/other.example, not for http:/),
      details: { code: "other_instance", hint: expect.stringContaining("--base-url") },
    });
    expect(log()).toEqual([]);
  });

  test("its address may end with a slash", async () => {
    const { rows, context } = await instanceWith(links("A"));
    const here = context.config.baseUrl?.value;
    expect(await rows(`instance: ${here}/\n${declares("A")}`)).toEqual([]);
  });
});

describe("what is planned", () => {
  test("is what differs; what is equal is counted", async () => {
    const { plan } = await instanceWith(links("A", "B"));
    const { changes, equal, caller: user, pruned } = await plan(declares("A", "B", "C"));
    expect([changes.map(({ key, action }) => [key, action]), equal]).toEqual([[["C", "create"]], 2]);
    expect([user, pruned.size]).toEqual([undefined, 0]);
  });

  test.each<[keep: string, rows: string[]]>([
    ["", ["acme#saml_group_links/Break delete", "acme#saml_group_links/Old delete"]],
    ['keep: { saml_group_links: ["Br*"] }', ["acme#saml_group_links/Old delete"]],
    ['keep: { hooks: ["*"] }', ["acme#saml_group_links/Break delete", "acme#saml_group_links/Old delete"]],
  ])("with --prune removes what is not declared, but for `%s`", async (keep, expected) => {
    const { plan, rows } = await instanceWith(links("A", "Break", "Old"));
    const text = `${declares("A")}\n${keep}`;
    expect(await rows(text, { prune: true })).toEqual(expected);
    const { pruned, shared } = await plan(text, { prune: true });
    expect([...pruned]).toEqual([["acme#saml_group_links", { size: 3, origin: { file: "a", line: 2 } }]]);
    expect(shared).toEqual([]);
    expect((await plan(text)).pruned.size).toBe(0);
  });

  test("is in the order of the files, however long each read takes", async () => {
    const { rows } = await instanceWith({ ...links(), "/groups/zoo": group(9, "zoo"), "/groups/zoo/hooks": [] });
    const hook = "zoo: { hooks: [{ name: D, url: https://a.example }] }";
    const link = "acme: { saml_group_links: [{ name: A, access_level: 30 }] }";
    const [first, second] = [await rows(`groups: { ${hook}, ${link} }`), await rows(`groups: { ${link}, ${hook} }`)];
    expect([first.length, second]).toEqual([2, first.toReversed()]);
  });

  test("is once for an entry that two pages show, since another one was added meanwhile", async () => {
    const listed = (...ids: number[]) => ({
      ...shop,
      "/projects/acme/shop/job_token_scope": { inbound_enabled: true },
      "/projects/acme/shop/job_token_scope/allowlist": ids.map((id) => project(id, `acme/p${id}`)),
      "/projects/acme/shop/job_token_scope/groups_allowlist": [],
    });
    const { plan } = await instanceWith(listed(1, 2, 2, 3, 3));
    const text = "projects: { acme/shop: { job_token_scope: { allowlist: [1, 2] } } }";
    const { changes, equal } = await plan(text, { prune: true });
    expect([changes.map(({ key, action }) => `${key} ${action}`), equal]).toEqual([["3 delete"], 2]);
    // Environments have no ID.
    const environment = { name: "production", deploy_access_levels: [{ id: 1, access_level: 40 }] };
    const twice = await instanceWith({
      ...shop,
      "/user": { username: "ana", id: 1 },
      "/projects/acme/shop/protected_environments": [environment, environment],
    });
    const same = "projects: { acme/shop: { protected_environments: [{ name: production }] } }";
    expect(await twice.plan(same, { prune: true })).toMatchObject({ changes: [], equal: 1 });
  });

  test("is of the kinds of --only; the allowlists are part of their section", async () => {
    const { rows } = await instanceWith({
      ...shop,
      "/projects/acme/shop/job_token_scope": { inbound_enabled: false },
      "/projects/acme/shop/job_token_scope/allowlist": [],
    });
    const text = `projects: { acme/shop: { container_registry_access_level: private,
      job_token_scope: { inbound_enabled: true, allowlist: [3] } } }`;
    const of = async (...only: string[]) => (await rows(text, { only })).map((each) => each.replace(/.*#|[/ ].*/g, ""));
    expect(await of("job_token_scope")).toEqual(["allowlist", "job_token_scope"]);
    expect(await of("allowlist")).toEqual(["allowlist"]);
    expect(await of("container_registry_access_level", "hooks")).toEqual(["container_registry_access_level"]);
    expect(await rows(text)).toHaveLength(3);
  });

  test("of a removal is all that is read of it, so that it can come back whole", async () => {
    const path = "/projects/acme/shop/protected_environments";
    const { plan, log } = await instanceWith({
      ...shop,
      ...caller,
      [path]: [{ name: "old", deploy_access_levels: [{ id: 1, access_level: 40 }] }],
      [`${path}/old`]: { name: "old", deploy_access_levels: [], approval_rules: [{ id: 2, access_level: 40 }] },
    });
    const text = "projects: { acme/shop: { protected_environments: [] } }";
    const { changes, caller: user } = await plan(text, { prune: true });
    expect(changes[0]?.live?.values.approval_rules).toEqual([{ id: 2, access_level: 40 }]);
    expect(user).toEqual({ id: 5, admin: true });
    const before = log().length;
    await plan(text);
    expect(log().slice(before)).not.toContain(`GET ${path}/old`);
  });

  test.each([
    [
      { id: "5", is_admin: true },
      { id: 0, admin: true },
    ],
    [{ id: 5 }, { id: 5, admin: false }],
    [
      { id: 5, is_admin: 1 },
      { id: 5, admin: false },
    ],
  ])("depends on the user of the token, who is %j: %j", async (user, expected) => {
    const { plan } = await instanceWith({
      ...shop,
      "/user": { username: "ana", ...user },
      "/projects/acme/shop/protected_environments": [],
    });
    const { caller } = await plan("projects: { acme/shop: { protected_environments: [] } }");
    expect(caller).toEqual(expected);
  });

  test("has the path of the instance itself; an ID stays as it is written", async () => {
    const { plan } = await instanceWith({ ...shop, "/projects/ACME/Shop": shop["/projects/acme/shop"] });
    const scopes = async (name: string) =>
      (await plan(`projects: { ${registry(name)} }`)).changes.map(({ scope }) => scope);
    expect(await scopes("ACME/Shop")).toEqual([{ at: "project", name: "acme/shop", id: 7 }]);
    const byId = await instanceWith({ "/projects/7": shop["/projects/acme/shop"] });
    expect((await byId.plan(`projects: { ${registry('"7"')} }`)).changes.map(({ scope }) => scope)).toEqual([
      { at: "project", name: "7", id: 7 },
    ]);
  });

  test("is nothing of what is unmanaged, and it is not read", async () => {
    const { rows, log } = await instanceWith(shop);
    expect(await rows("projects: { acme/shop: { hooks: unmanaged } }")).toEqual([]);
    expect(log()).toEqual(["GET /projects/acme/shop"]);
  });
});

describe("a secret that must be sent", () => {
  const hook = { id: 2, name: "D", url: "https://a.example/", token: null };
  const answers = { ...acme, "/groups/acme/hooks": [hook] };
  const text = (more: string) => `groups: { acme: { hooks: [{ name: D, ${more}, token: { env: TOKEN } }] } }`;

  test("is refused by --secrets never, with all objects that need it", async () => {
    const { plan } = await instanceWith(answers);
    await expect(plan(text("url: https://b.example/"), { secrets: "never" })).rejects.toMatchObject({
      message: "--secrets never: acme#hooks/D cannot be changed without the secrets",
      details: { code: "secrets_needed", hint: "leave out --secrets never" },
    });
  });

  test("is no obstacle where it is not sent, or nothing is", async () => {
    const { rows } = await instanceWith(answers);
    expect(await rows(text("description: x"), { secrets: "never" })).toEqual(["acme#hooks/D update: description"]);
    const unread = await instanceWith({ "/groups/acme": group(4, "globex") });
    expect(await unread.rows(text("url: https://b.example/"), { secrets: "never" })).toHaveLength(1);
  });
});

describe("settings, whose reads are cached", () => {
  const settings = (value: number, minute = 0) => ({
    id: 1,
    max_login_attempts: value,
    updated_at: `2026-11-21T16:0${minute}:00Z`,
  });

  test("are compared with what a run has just written, too", async () => {
    const instance = await instanceWith({ "/application/settings": settings(10) });
    const { answers, plan, apply } = instance;
    answers["PUT /application/settings"] = settings(5, 1);
    const first = await plan("settings: { max_login_attempts: 5 }");
    expect(first.changes[0]).not.toHaveProperty("doubts");
    expect(await apply(first.changes)).toEqual(["#settings done"]);
    // The copy that a read shows is older.
    const again = await plan("settings: { max_login_attempts: 10 }");
    expect(again.changes).toMatchObject([{ action: "update", live: { values: { max_login_attempts: 5 } } }]);
    expect(again.changes[0]?.doubts).toEqual(new Map([["max_login_attempts", [10]]]));
  });

  test("and where that is not certain, it is said", async () => {
    const { answers, plan, apply, warnings } = await instanceWith({ "/application/settings": settings(10) });
    answers["PUT /application/settings"] = "lost";
    const { changes } = await plan("settings: { max_login_attempts: 5 }");
    await apply(changes).catch(() => undefined);
    await plan("settings: { max_login_attempts: 7 }");
    expect(warnings).toEqual([expect.stringMatching(/^settings are cached, .*max_login_attempts/)]);
  });
});

test.each<[action: Change["action"], removal: boolean, write: boolean]>([
  ["create", false, true],
  ["update", false, true],
  ["replace", false, true],
  ["delete", true, true],
  ["disarm", true, true],
  ["extra", false, false],
  ["unreadable", false, false],
])("%s: removes %s, is sent %s", (action, removal, write) => {
  const change = { ...changeOf(hooksKind, { name: "D", url: "https://a.example" }, undefined), action };
  expect([isRemoval(change), isWrite(change), listOf(change)]).toEqual([removal, write, "acme#hooks"]);
  expect(managed(change, [])).toBe(0);
});
