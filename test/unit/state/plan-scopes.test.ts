import { describe, expect, test } from "vitest";
import { shardId } from "../../../src/state/plan/plan-shard.ts";
import {
  type Answers,
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

describe("what cannot be compared is a row with its reason", () => {
  test("a list that cannot be read, beside others that can", async () => {
    const { rows } = await instanceWith({ ...acme, "/groups/acme/saml_group_links": 403, "/groups/acme/hooks": [] });
    const text = "groups: { acme: { saml_group_links: [], hooks: [{ name: D, url: https://a.example }] } }";
    expect((await rows(text)).toSorted()).toEqual([
      "acme#hooks/D create: name, url",
      "acme#saml_group_links unreadable (of a test)",
    ]);
  });

  test("one that has moved to a path of digits is written by its ID", async () => {
    const { plan } = await instanceWith({ "/groups/acme": group(4, "2026"), "/groups/acme/hooks": [] });
    const { changes } = await plan("groups: { acme: { hooks: [{ name: D, url: https://a.example }] } }");
    const reason = "the group has moved to 2026: write its ID, 4, in the file";
    expect(changes).toMatchObject([{ action: "unreadable", reason }]);
  });

  test("a scope that has moved is not read", async () => {
    const { plan, log } = await instanceWith({ "/groups/acme": group(4, "globex"), "/groups/acme/hooks": [] });
    const { changes } = await plan("groups: { acme: { hooks: [{ name: D, url: https://a.example }] } }");
    expect(changes).toMatchObject([
      {
        action: "unreadable",
        reason: "the group has moved to globex: write that in the file",
        desired: { values: { name: "D" }, origin: { line: 2 } },
        fields: [],
        write: [],
      },
    ]);
    expect(log()).toEqual(["GET /groups/acme"]);
    const empty = await plan_of("groups: { acme: { hooks: [] } }", { "/groups/acme": group(4, "globex") });
    expect(empty[0]?.desired).toEqual({ values: {}, origin: { file: "a", line: 2 } });
  });

  test("the sections of a pattern whose group is not there", async () => {
    const { rows } = await instanceWith({});
    expect(await rows(`projects: { ${registry("gone/**")} }`)).toEqual([
      "gone/**#container_registry_access_level unreadable (the group gone was not found, or is not visible to this token)",
    ]);
  });
});

const plan_of = async (text: string, answers: Answers) => (await (await instanceWith(answers)).plan(text)).changes;

describe("what is archived or about to be deleted", () => {
  test.each([
    [{ archived: true }, "acme/shop is archived: passed over"],
    [{ marked_for_deletion_on: "2026-12-01" }, "acme/shop is about to be deleted: passed over"],
  ])("%j is passed over, with one warning", async (more, warning) => {
    const { rows, log, warnings, progress } = await instanceWith({
      "/projects/acme/shop": project(7, "acme/shop", more),
    });
    const text =
      "projects: { acme/shop: { container_registry_access_level: private, hooks: [], protected_branches: [] } }";
    expect(await rows(text)).toEqual([]);
    expect([log(), warnings]).toEqual([["GET /projects/acme/shop"], [warning]]);
    expect(progress).toEqual(["reading of 3", "reading 1", "reading 2", "reading 3", "stop"]);
  });
});

test("progress counts the sections, and says how many scopes they are of", async () => {
  const two = { ...links("A"), ...shop };
  const one = await instanceWith(two);
  await one.plan(declares("A"));
  expect(one.progress).toEqual(["reading of 1", "reading 1", "stop"]);
  const both = await instanceWith(two);
  await both.plan(`${declares("A")}\nprojects: { ${registry("acme/shop")} }`);
  expect(both.progress).toEqual(["reading of 2", "reading 2 scopes 1", "reading 2 scopes 2", "stop"]);
  const ended = await instanceWith({ "/groups/acme": 401 });
  await expect(ended.plan(declares("A"))).rejects.toThrow();
  expect(ended.progress.at(-1)).toBe("stop");
});

test("each shard plans its own scopes; together they plan all", async () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  const all = Object.fromEntries(
    names.map((name, at) => [
      `/projects/acme/${name}`,
      { ...shop["/projects/acme/shop"], id: at + 1, path_with_namespace: `acme/${name}` },
    ]),
  );
  const text = `projects: { ${names.map((name) => registry(`acme/${name}`)).join(", ")}, ${registry("gone/**")} }`;
  const { rows, progress } = await instanceWith(all);
  const whole = await rows(text);
  progress.length = 0;
  const parts = [
    await rows(text, { shard: { index: 1, total: 2 } }),
    await rows(text, { shard: { index: 2, total: 2 } }),
  ];
  expect(parts.every((part) => part.length > 0)).toBe(true);
  // What could not be listed is a row of each.
  expect([...new Set(parts.flat())].toSorted()).toEqual(whole.toSorted());
  expect(parts.map((part) => part.filter((row) => row.startsWith("gone/")).length)).toEqual([1, 1]);
  expect(progress.filter((each) => each.endsWith("scopes 6"))).toHaveLength(2);
});

test("one object that the files name in two ways is refused", async () => {
  const { plan } = await instanceWith({ ...shop, "/projects/7": shop["/projects/acme/shop"] });
  await expect(plan(`projects: { ${registry("acme/shop")}, ${registry('"7"', "enabled")} }`)).rejects.toMatchObject({
    details: { code: "named_twice", nothing: "sent" },
  });
});

describe("declarations of patterns", () => {
  const environment = { name: "old", deploy_access_levels: [] };
  const fleet = {
    ...acme,
    ...shop,
    "/groups/acme/projects?archived=true": [],
    "/groups/acme/projects": [shop["/projects/acme/shop"]],
    "/projects/acme/shop/protected_environments": [environment],
    "/projects/acme/shop/protected_environments/old": environment,
    ...caller,
  };

  test("are put together; the removals count for the pattern's list", async () => {
    const { plan } = await instanceWith(fleet);
    const { changes, shared } = await plan("projects: { acme/**: { protected_environments: [] } }", { prune: true });
    expect(changes.map(({ action, key }) => [action, key])).toEqual([["delete", "old"]]);
    expect(shared).toMatchObject([
      { name: "acme/** protected_environments", size: 1, removals: 1, scopes: 1 },
      { name: "protected_environments below patterns", size: 1, removals: 1, scopes: 1 },
    ]);
    expect((await plan("projects: { acme/**: { protected_environments: [] } }")).shared).toEqual([]);
  });

  test("that may not be meant are doubted with a warning, which is no error", async () => {
    const { rows, warnings } = await instanceWith(fleet);
    const text = `projects:
  acme/**: { protected_environments: [{ name: old }] }
  acme/shop: { protected_environments: [inherit, { name: new, absent: true }] }`;
    expect(await rows(text)).toEqual([]);
    expect(warnings).toEqual(["a:4: new is not inherited (protected_environments of a:3 is [old])"]);
  });

  test("that together lack a required field are refused", async () => {
    const { plan } = await instanceWith(fleet);
    await expect(plan("projects: { acme/**: { error_tracking: { integrated: true } } }")).rejects.toMatchObject({
      message: "a:2: projects.acme/shop.error_tracking: active is missing",
      details: { code: "invalid_state", nothing: "sent" },
    });
  });
});

test("of a list of projects, the project itself cannot be managed", async () => {
  const allowed = [7, 8, 9].map((id) => ({ id, path_with_namespace: `acme/p${id}` }));
  const { plan } = await instanceWith({ ...shop, "/projects/acme/shop/job_token_scope/allowlist": allowed });
  const { pruned } = await plan("projects: { acme/shop: { job_token_scope: { allowlist: [8] } } }", { prune: true });
  expect([...pruned.values()].map(({ size }) => size)).toEqual([2]);
});

test.each([
  [200, [3], false, "201"],
  [199, [3], false, undefined],
  [201, [10], false, undefined],
  [200, [3], true, undefined],
  [201, [3, 4], true, undefined],
])("a list of %i with %j (--prune: %s) would have too many entries: %s", async (count, ids, prune, after) => {
  const allowed = Array.from({ length: count }, (_, at) => ({ id: at + 10, path_with_namespace: `x/${at}` }));
  const { plan, warnings } = await instanceWith({ ...shop, "/projects/acme/shop/job_token_scope/allowlist": allowed });
  await plan(`projects: { acme/shop: { job_token_scope: { allowlist: [${ids}] } } }`, { prune });
  const warning = `acme/shop#allowlist would have ${after} entries, and an instance accepts 200`;
  expect(warnings).toEqual(after === undefined ? [] : [expect.stringContaining(warning)]);
});

test("a scope is in the same shard on every machine, by its ID if it has one", () => {
  const scope = { at: "project", name: "ACME/Shop" } as const;
  const place = { id: 8 } as Parameters<typeof shardId>[1];
  expect([
    shardId(scope),
    shardId({ ...scope, id: 7 }),
    shardId({ ...scope, id: 7 }, place),
    shardId({ at: "instance", name: "" }),
  ]).toEqual(["acme/shop", "7", "8", "instance"]);
});
