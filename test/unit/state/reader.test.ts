import { describe, expect, test } from "vitest";
import type { Api } from "../../../src/api/api.ts";
import type { AnyEndpoint } from "../../../src/api/endpoint.ts";
import { type ExitName, Failure } from "../../../src/base/errors.ts";
import type { Section, Values } from "../../../src/state/kind.ts";
import { findKind } from "../../../src/state/kinds/index.ts";
import {
  concernsOne,
  type Details,
  isLocal,
  readerOf,
  readLive,
  readSections,
  withNumbers,
} from "../../../src/state/live/reader.ts";

const origin = { file: "f", line: 1 };
const kindOf = (name: string) => findKind(name) ?? expect.unreachable();
const failed = (exit: ExitName, reason?: string) => new Failure(exit, "failed", reason === undefined ? {} : { reason });
const project = "GET /projects/:project";

/** A client that answers each route with a value or a failure, and the routes that were asked. */
function apiOf(answers: Record<string, unknown>) {
  const asked: string[] = [];
  const answer = (endpoint: AnyEndpoint, input: object) => {
    asked.push(`${endpoint.route} ${Object.values(input).join(" ")}`);
    const found = answers[endpoint.route] ?? failed("notFound");
    if (found instanceof Error) throw found;
    return found;
  };
  const api = {
    call: async (endpoint: AnyEndpoint, input: object) => answer(endpoint, input),
    list: (endpoint: AnyEndpoint, input: object) => ({
      async *batches() {
        for (const row of answer(endpoint, input) as object[]) yield [row];
      },
    }),
  } as unknown as Api;
  return { reader: readerOf(api, { concurrency: 2 }), asked };
}

function sectionOf(kind: string, entries: Values[] = []): Section {
  const { at } = kindOf(kind);
  const scope = { at, name: { instance: "", group: "acme", project: "acme/x" }[at] };
  return { scope, kind: kindOf(kind), entries: entries.map((values) => ({ values, origin })), origin };
}

const seen = (kind: string, answers: Record<string, unknown>) => readLive(apiOf(answers).reader, sectionOf(kind));

test("a reader sends nothing that changes anything", async () => {
  const { reader, asked } = apiOf({});
  const change = { route: "PUT /projects/:project", method: "PUT" } as AnyEndpoint;
  await expect(reader.call(change, {})).rejects.toThrow("a plan tried to send PUT /projects/:project");
  await expect(reader.list(change, {})).rejects.toThrow("a plan tried to send PUT /projects/:project");
  expect([asked, reader.ahead]).toEqual([[], 6]);
});

describe("the live objects of a section", () => {
  const tracking = "GET /projects/:project/error_tracking/settings";
  const links = "GET /groups/:group/ldap_group_links";
  test("of a list are all of its rows, with IDs as numbers", async () => {
    const { reader, asked } = apiOf({ "GET /groups/:group/hooks": [{ id: "4" }, { id: 5, name: "N" }] });
    const found = await readLive(reader, sectionOf("hooks"));
    expect(found).toEqual({ live: [{ values: { id: 4 } }, { values: { id: 5, name: "N" } }] });
    expect(asked).toEqual(["GET /groups/:group/hooks acme"]);
  });

  test("of a project are not those that its group has besides, of the same name", async () => {
    const branch = (id: number, inherited: boolean) => ({ id, name: "main", inherited });
    const rows = [branch(900, true), branch(7, false), { id: 8, name: "older" }];
    const { reader } = apiOf({ "GET /projects/:project/protected_branches": rows });
    const found = await readLive(reader, sectionOf("protected_branches"));
    expect("live" in found && found.live.map(({ values }) => values.id)).toEqual([7, 8]);
  });

  test("of a record are the one", async () => {
    expect(await seen("error_tracking", { [tracking]: { active: true } })).toEqual({
      live: [{ values: { active: true } }],
    });
    const settings = apiOf({ "GET /application/settings": { signup_enabled: true } });
    await readLive(settings.reader, sectionOf("settings"));
    expect(settings.asked).toEqual(["GET /application/settings "]);
  });

  test("are what a 404 means, once the scope is known to exist", async () => {
    const none = { live: [{ values: { active: false, integrated: false } }] };
    expect(await seen("error_tracking", { [project]: { id: 7 } })).toEqual(none);
    const empty = { [links]: failed("notFound", "404 (No linked LDAP groups found)") };
    expect(await seen("ldap_group_links", { ...empty, "GET /groups/:group": { id: 4 } })).toEqual({ live: [] });
    // Another read of it is a proof too.
    expect(
      await seen("error_tracking", { "GET /projects/:project/job_token_scope": { inbound_enabled: true } }),
    ).toEqual(none);
    expect(await seen("error_tracking", { "GET /projects/:project/hooks": [] })).toEqual(none);
    expect(await seen("ldap_group_links", { ...empty, "GET /groups/:group/hooks": [] })).toEqual({ live: [] });
    // Any other 404 of them is none of theirs.
    expect(await seen("ldap_group_links", { "GET /groups/:group": { id: 4 } })).toEqual({ unreadable: "failed" });
  });

  test("are unknown where nothing shows that the scope exists, or where another failure says so", async () => {
    expect(await seen("error_tracking", {})).toEqual({ unreadable: "failed" });
    expect(
      await seen("ldap_group_links", { [links]: failed("forbidden", "no access"), "GET /groups/:group": {} }),
    ).toEqual({
      unreadable: "no access",
    });
    expect(await seen("hooks", { "GET /groups/:group": { id: 4 } })).toEqual({ unreadable: "failed" });
    const isProofEnd = { "GET /projects/:project/hooks": failed("network") };
    await expect(seen("error_tracking", isProofEnd)).rejects.toThrow("failed");
    expect(await seen("error_tracking", { "GET /projects/:project/hooks": failed("unauthenticated") })).toEqual({
      unreadable: "failed",
    });
  });

  test("of a kind that the documents do not have may be lacking", async () => {
    const hint = "failed; the API documents do not have it, and the instance may lack it";
    expect(await seen("protected_branches", {})).toEqual({ unreadable: hint });
    const refused = { "GET /projects/:project/protected_branches": failed("forbidden") };
    expect(await seen("protected_branches", refused)).toEqual({ unreadable: "failed" });
  });

  test("are unknown if the field that shows them is not there", async () => {
    const name = "container_registry_access_level";
    expect(await seen(name, { [project]: { id: 7 } })).toEqual({ unreadable: `the instance does not show ${name}` });
    expect(await seen(name, { [project]: { [name]: "private" } })).toMatchObject({
      live: [{ values: { [name]: "private" } }],
    });
  });

  test.each(["unauthenticated", "network", "interrupted"] as const)("are not read on after %s", async (exit) => {
    await expect(seen("hooks", { "GET /groups/:group/hooks": failed(exit) })).rejects.toThrow("failed");
    await expect(seen("hooks", { "GET /groups/:group/hooks": new Error("a bug") })).rejects.toThrow("a bug");
  });
});

test("a failure of one object does not end the run", () => {
  const local = ["forbidden", "notFound", "refused", "conflict", "rateLimited"] as const;
  for (const exit of local)
    expect([isLocal(failed(exit)), concernsOne(failed(exit), kindOf("hooks"))]).toEqual([true, true]);
  expect([isLocal(failed("unauthenticated")), isLocal(failed("network"))]).toEqual([false, false]);
  expect(concernsOne(failed("unauthenticated"), kindOf("hooks"))).toBe(false);
  expect(concernsOne(failed("unauthenticated"), kindOf("saml_group_links"))).toBe(true);
});

describe("what a list leaves out is read of one", () => {
  const list = "GET /projects/:project/protected_environments";
  const rows = [{ name: "a" }, { name: "b" }, { name: "c", approval_rules: [] }];
  const declared = [
    { name: "a", approval_rules: [] },
    { name: "c", approval_rules: [] },
    { name: "d", approval_rules: [] },
  ];
  test.each<[Details, Values[], string[]]>([
    ["declared", declared, ["a"]],
    ["declared", [{ name: "a" }], []],
    ["removable", [{ name: "a" }], ["b"]],
    ["removable", declared, ["a", "b"]],
    ["all", [], ["a", "b"]],
  ])("%s, of %j", async (details, entries, names) => {
    const detail = kindOf("protected_environments").read.detail?.endpoint.route ?? "";
    const { reader, asked } = apiOf({ [list]: rows, [detail]: { approval_rules: [{ id: "3" }] } });
    const found = await readLive(reader, sectionOf("protected_environments", entries), { details });
    expect(asked.slice(1)).toEqual(names.map((name) => `${detail} acme/x ${name}`));
    const live = "live" in found ? found.live.map(({ values }) => "approval_rules" in values) : [];
    expect(live).toEqual(rows.map(({ name }) => name === "c" || names.includes(name)));
  });
});

describe("sections are read in order", () => {
  async function all(answers: Record<string, unknown>, sections: Section[]) {
    const found = [];
    for await (const each of readSections(apiOf(answers).reader, sections)) found.push(each);
    return found;
  }
  const answers = { [project]: { id: 7, path_with_namespace: "acme/x", container_registry_access_level: "private" } };

  test("each with its place; what the place shows is not read again", async () => {
    const { reader, asked } = apiOf(answers);
    const found = [];
    for await (const each of readSections(reader, [
      sectionOf("container_registry_access_level"),
      sectionOf("error_tracking"),
    ]))
      found.push([each.section.kind.name, each.place?.id, "live" in each.seen]);
    expect(found).toEqual([
      ["container_registry_access_level", 7, true],
      ["error_tracking", 7, true],
    ]);
    expect(asked.filter((each) => each.startsWith(`${project} `))).toHaveLength(1);
  });

  test("one that has moved is not read", async () => {
    const moved = { [project]: { id: 7, path_with_namespace: "acme/y" } };
    const [found] = await all(moved, [sectionOf("error_tracking")]);
    expect(found?.seen).toEqual({ unreadable: "the project has moved to acme/y" });
  });
});

test("IDs of rules are numbers too, and other texts are unchanged", () => {
  const kind = kindOf("protected_environments");
  const values = { id: "x", name: "4", deploy_access_levels: [{ id: "3", user_id: "4" }], approval_rules: null };
  expect(withNumbers(kind, { values }).values).toEqual({
    ...values,
    deploy_access_levels: [{ id: 3, user_id: "4" }],
  });
});
