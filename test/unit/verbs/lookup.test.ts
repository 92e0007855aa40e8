import { describe, expect, test } from "vitest";
import { endpoint } from "../../../src/api/endpoint.ts";
import { array, type Field, type Fields, integer, string } from "../../../src/api/field.ts";
import { command } from "../../../src/declare/command.ts";
import { idIn, idOf, lookUp, numericProject, withIds } from "../../../src/verbs/lookup.ts";
import { contextFor } from "../../support/context.ts";
import { smallInstance } from "../../support/small-instance.ts";

/** An instance with one user, one group, two hooks of one name, and a registry. */
async function contextOf() {
  const { url, seen } = await smallInstance({
    "GET /users?username=Olivia.Ortega": [{ id: 4, username: "olivia.ortega" }],
    "GET /users": [],
    "GET /groups/acme%2Fa.b": { id: 9, full_path: "acme/a.b" },
    "GET /groups/old": { id: 10, full_path: "new" },
    "GET /groups/year": { id: 11, full_path: "2026" },
    "GET /groups/zero": { id: 0, full_path: "zero" },
    "GET /projects/acme%2Fdocs": { id: 7, path_with_namespace: "acme/docs" },
    "GET /projects/broken": { status: 403, body: {} },
    "GET /groups/acme/hooks": [
      { id: 1, name: "Chat", url: "https://a" },
      { id: 2, name: "Deploys", url: "https://b" },
      { id: 3, name: "Chat", url: "https://c" },
      { id: 5, url: "https://d" },
    ],
    "GET /projects/acme%2Fdocs/registry/repositories": [
      { id: 12, path: "acme/docs/web/api", project_id: 7, location: "r/acme/docs/web/api" },
      { id: 13, path: "acme/docs", project_id: 7, location: "r/acme/docs" },
    ],
    "GET /projects/acme%2Fdocs%2Fweb/registry/repositories": { status: 404, body: { message: "404 Not found" } },
  });
  return Object.assign(contextFor(url), { seen });
}

const write = endpoint({ route: "POST /hooks", summary: "x", params: {}, returns: "nothing", access: {} });
const read = endpoint({ route: "GET /hooks", summary: "x", params: {}, returns: "nothing", access: {} });
const declared = (args: Fields, params: Fields = {}, requests = [write]) =>
  command({ name: "x", examples: [], args, params, requests, run: async () => undefined });

describe("an ID or a name", () => {
  test.each([
    ["1", 1],
    ["007", 7],
    ["9007199254740991", 9007199254740991],
    ["acme", undefined],
    ["1a", undefined],
    ["-1", undefined],
    ["1.5", undefined],
    ["", undefined],
  ])("%j as an ID is %j", (text, id) => expect(idIn(text, "<user>")).toBe(id));

  test.each(["0", "00", "9007199254740992"])("%s is neither", (text) => {
    expect(() => idIn(text, "--parent-id")).toThrow(
      `--parent-id: must be an ID (a whole number of at least 1) or a name, not "${text}"`,
    );
  });

  test("is looked up only if it is a name, and said if it will be changed", async () => {
    const context = await contextOf();
    expect(await idOf(context, "user", "4", "<user>", true)).toBe(4);
    expect(context.seen).toEqual([]);
    expect(await idOf(context, "user", "Olivia.Ortega", "<user>")).toBe(4);
    expect(context.notices).toEqual([]);
    expect(await lookUp(context, "project", "acme/docs")).toBe(7);
    expect(context.notices).toEqual(["project acme/docs is project 7"]);
  });

  test("that does not exist is exit 3, and says where to look", async () => {
    const context = await contextOf();
    await expect(lookUp(context, "user", "missing")).rejects.toMatchObject({
      exit: "notFound",
      message: 'the user "missing" was not found',
      details: { hint: "forgectl users list --search missing" },
    });
    for (const name of ["missing", "zero"]) {
      await expect(lookUp(context, "group", name)).rejects.toMatchObject({
        exit: "notFound",
        message: `the group "${name}" was not found`,
        details: { hint: expect.stringContaining("look up groups by path"), nothing: "changed" },
      });
    }
    await expect(lookUp(context, "project", "broken")).rejects.toMatchObject({ exit: "forbidden" });
  });

  test("of a project is sent as a path if the instance does not look it up", async () => {
    const context = await contextOf();
    expect(await numericProject(context, "12")).toBe("12");
    expect(context.seen).toEqual([]);
    expect(await numericProject(context, "acme/docs")).toBe("7");
    expect(await numericProject(context, "missing")).toBe("missing");
  });
});

describe("names in the input of a command", () => {
  const named = (names: NonNullable<Field["names"]>, more: Partial<Field> = {}): Field => ({
    ...string("x"),
    names,
    ...more,
  });

  test("are IDs where its routes take no names, and the command says so before a change", async () => {
    const context = await contextOf();
    const changing = declared({ user: named("user") }, { parent_id: named("group"), note: string("x") });
    const input = { user: "Olivia.Ortega", parent_id: "acme/a.b", note: "acme" };
    expect(await withIds(context, changing, input)).toEqual({ user: 4, parent_id: 9, note: "acme" });
    expect(context.notices).toEqual(["user Olivia.Ortega is user 4", "group acme/a.b is group 9"]);
    context.notices.length = 0;
    expect(await withIds(context, declared({ user: named("user") }, {}, [read]), input)).toMatchObject({ user: 4 });
    expect(context.notices).toEqual([]);
    expect(await withIds(context, changing, { note: "x" })).toEqual({ note: "x" });
  });

  test("of what has moved are refused for a change, with what to give", async () => {
    const context = await contextOf();
    for (const [group, hint] of [
      ["old", "give new"],
      ["year", "give 11"],
    ] as const) {
      const refused = withIds(context, declared({}, { parent_id: named("group") }), { parent_id: group });
      await expect(refused).rejects.toMatchObject({ code: "moved", details: { hint } });
    }
  });

  test("that are no IDs are refused by the name of their flag or argument", async () => {
    const context = await contextOf();
    const one = declared({ user: named("user", { placeholder: "user-id" }) }, { parent_id: named("group") });
    await expect(withIds(context, one, { user: "0" })).rejects.toThrow("<user-id>: must be an ID");
    await expect(withIds(context, one, { parent_id: "0" })).rejects.toThrow("--parent-id: must be an ID");
  });

  test("with a dot are IDs where a route takes none; one that cannot be looked up is sent as typed", async () => {
    const context = await contextOf();
    const dotless = declared({}, {}, [{ ...read, dotless: true }]);
    expect(await withIds(context, dotless, { group: "acme/a.b" })).toEqual({ group: "9" });
    expect(await withIds(context, dotless, { user: "Olivia.Ortega" })).toEqual({ user: "4" });
    expect(await withIds(context, dotless, { group: "a.missing" })).toEqual({ group: "a.missing" });
    expect(await withIds(context, dotless, { group: "acme", user: 4 })).toEqual({ group: "acme", user: 4 });
    expect(await withIds(context, declared({}), { group: "acme/a.b" })).toEqual({ group: "acme/a.b" });
  });

  test("of projects are numbers where a route takes only those", async () => {
    const context = await contextOf();
    const numeric = declared({}, {}, [{ ...read, numeric: true }]);
    expect(await withIds(context, numeric, { project: "acme/docs" })).toEqual({ project: "7" });
    expect(await withIds(context, declared({}), { project: "acme/docs" })).toEqual({ project: "acme/docs" });
  });

  test("of hooks are those of the group: one has the name, several need an ID", async () => {
    const context = await contextOf();
    const hook = declared({ hook: named("hook") });
    expect(await withIds(context, hook, { hook: "Deploys", group: "acme" })).toMatchObject({ hook: 2 });
    expect(context.notices).toEqual(["hook Deploys is hook 2"]);
    expect(await withIds(context, hook, { hook: 8, group: "acme" })).toMatchObject({ hook: 8 });
    await expect(withIds(context, hook, { hook: "Chat", group: "acme" })).rejects.toMatchObject({
      exit: "usage",
      message: '2 hooks are named "Chat"; give the ID',
      details: { code: "ambiguous", reason: "1 (https://a), 3 (https://c)" },
    });
    await expect(withIds(context, hook, { hook: "Mail", group: "acme" })).rejects.toMatchObject({
      exit: "notFound",
      message: 'no hook is named "Mail"',
      details: { hint: "forgectl hooks list shows IDs and names" },
    });
  });

  test("of several hooks are each looked up, and each ID is there once", async () => {
    const context = await contextOf();
    const hooks = declared({ hooks: array({ ...integer("x"), names: "hook" }, "x") });
    const input = { hooks: ["Deploys", 2, 7], group: "acme" };
    expect(await withIds(context, hooks, input)).toMatchObject({ hooks: [2, 7] });
  });

  test("of registry repositories are paths: their project is the longest beginning that is one", async () => {
    const context = await contextOf();
    const repository = declared({ repository: named("repository") });
    const idOfPath = async (path: string, more = {}) =>
      (await withIds(context, repository, { repository: path, ...more })).repository;
    expect(await idOfPath("acme/docs/web/api")).toBe(12);
    expect(context.seen).toEqual([
      "GET /projects/acme%2Fdocs%2Fweb%2Fapi/registry/repositories?per_page=100",
      "GET /projects/acme%2Fdocs%2Fweb/registry/repositories?per_page=100",
      "GET /projects/acme%2Fdocs/registry/repositories?per_page=100",
    ]);
    expect(await idOfPath("acme/docs", { project: "acme/docs" })).toBe(13);
    await expect(idOfPath("acme/docs/none")).rejects.toMatchObject({
      exit: "notFound",
      message: 'no registry repository is named "acme/docs/none"',
    });
    await expect(idOfPath("acme/docs", { project: "missing" })).rejects.toMatchObject({ exit: "notFound" });
    await expect(idOfPath("acme")).rejects.toMatchObject({ exit: "notFound" });
  });

  test("of projects and groups may be typed as addresses", async () => {
    const context = await contextOf();
    const place = declared({ path: { ...string("x"), completes: "project" } });
    const typed = `${context.config.baseUrl?.value}/acme/docs/`;
    expect(await withIds(context, place, { path: typed })).toEqual({ path: "acme/docs" });
    expect(await withIds(context, declared({ path: string("x") }), { path: typed })).toEqual({ path: typed });
  });
});
