import { describe, expect, test } from "vitest";
import { type Endpoint, endpoint, type ListEndpoint } from "../../../src/api/endpoint.ts";
import { boolean, entity, type Fields, id, integer, required, string } from "../../../src/api/field.ts";
import type { Failure } from "../../../src/base/errors.ts";
import type { Command } from "../../../src/declare/command.ts";
import type { Batched, RecordView, RowsView } from "../../../src/terminal/view.ts";
import { collected } from "../../../src/verbs/row-collection.ts";
import { create, described, get, list, update } from "../../../src/verbs/verbs.ts";
import { contextFor } from "../../support/context.ts";
import { scriptedInstance } from "../../support/scripted-instance.ts";
import { smallInstance } from "../../support/small-instance.ts";

const thing = entity("Thing", { id: required(id()), name: string(), size: integer("", { onlyWith: "with_size" }) });
const declared = { access: {}, returns: thing } as const;
const project = string("Project", { scope: "project" });
const group = string("Group", { scope: "group" });
const issue = id("Issue", { within: "project" });
const thing_id = id("Thing");
const name = required(string("Name"));

const listed = endpoint({
  ...declared,
  route: "GET /projects/:project/things",
  summary: "List a project's things",
  params: { project, with_size: boolean("Sizes"), pagination: boolean("By cursor") },
  page: "offset",
}) as ListEndpoint<never, typeof thing.shape>;
const listedInGroup = endpoint({
  ...declared,
  route: "GET /groups/:group/things",
  summary: "List a group's things",
  params: { group },
  page: "offset",
}) as ListEndpoint<never, typeof thing.shape>;
const shownOne = endpoint({
  ...declared,
  route: "GET /projects/:project/things/:thing_id",
  summary: "Get a thing",
  params: { project, thing_id },
});
const made = endpoint({
  ...declared,
  route: "POST /projects/:project/things",
  summary: "Create a thing",
  params: { project, name, resolved: boolean() },
}) as Endpoint;
const changed = endpoint({
  ...declared,
  route: "PUT /projects/:project/things/:thing_id",
  summary: "Change a thing",
  params: { project, thing_id, name, resolved: boolean() },
}) as Endpoint;

const names = (fields: Fields) => Object.keys(fields);
const needs = (fields: Fields) => names(fields).filter((each) => fields[each]?.required);

describe("a command of endpoints", () => {
  test("has the places of the path as arguments, but for a scope, which is a required flag", () => {
    const { args, params } = described([changed], {});
    expect([names(args), needs(args)]).toEqual([["thing_id"], ["thing_id"]]);
    expect([names(params), needs(params)]).toEqual([
      ["project", "name", "resolved"],
      ["project", "name"],
    ]);
  });

  test("has what identifies a parent within a scope as a flag", () => {
    const notes = endpoint({
      ...declared,
      route: "GET /projects/:project/issues/:issue/notes/:thing_id",
      summary: "x",
      params: { project, issue, thing_id },
    });
    const { args, params } = described([notes], {});
    expect([names(args), names(params)]).toEqual([["thing_id"], ["project", "issue"]]);
  });

  test("does not require what only some of the endpoints have", () => {
    const { args, params } = described([listed, listedInGroup], {});
    expect([names(args), names(params), needs(params)]).toEqual([[], names({ ...listed.params, group }), []]);
    const both = described([made, listed], {});
    expect(needs(both.params)).toEqual(["project"]);
    expect(both.params.name).toEqual(string("Name"));
    expect(needs(described([made, changed], {}).params)).toEqual(["project", "name"]);
  });

  test("has a place of only some of the paths as a flag", () => {
    const { args, params } = described([shownOne, listed], {});
    expect([names(args), names(params)]).toEqual([[], ["project", "thing_id", "with_size", "pagination"]]);
  });

  test("may have an argument that is not in the path, after those that are", () => {
    expect(names(described([made], { argument: "name" }).args)).toEqual(["name"]);
    const { args, params } = described([changed], { argument: "name" });
    expect([names(args), names(params)]).toEqual([
      ["thing_id", "name"],
      ["project", "resolved"],
    ]);
    expect(needs(args)).toEqual(["thing_id", "name"]);
  });

  test("takes a flag or an argument of its own in place of the endpoint's, first, and as it is declared", () => {
    const own = { thing_id: id("Another text"), name: string("Optional"), more: required(boolean()) };
    const { args, params } = described([changed], { params: own });
    expect(args.thing_id).toEqual(required(own.thing_id));
    expect(names(params)).toEqual(["name", "more", "project", "resolved"]);
    expect(params.name).toBe(own.name);
    expect(described([made, listed], { params: { name } }).params.name).toBe(name);
  });

  test("does not take what it sends by itself, and names its further requests", () => {
    const { params, requests } = described([changed], { fixed: { resolved: true }, requests: [shownOne] });
    expect(names(params)).toEqual(["project", "name"]);
    expect(requests).toEqual([changed, shownOne]);
    expect(names(described([made, listed], { fixed: { name: "n" } }).params)).not.toContain("name");
    expect(described([changed], {}).requests).toEqual([changed]);
  });
});

/** Runs a command on an instance with two things, and returns its view, with rows, and the requests. */
async function run(command: Command, input: object) {
  const { context, requests } = await scriptedInstance(({ method, path, body }) =>
    method === "GET" && !/things\/\d/.test(path) ? [200, [{ id: 1, name: "a" }, { id: 2 }]] : [200, { id: 1, ...body }],
  );
  const view = (await command.run(context, input as never)) as RowsView & RecordView;
  const rows = view.rows === undefined ? [] : await collected((view.rows as Batched).batches());
  return { view, rows: rows.flat(), requests };
}

describe("list", () => {
  const command = list("list", [listed, listedInGroup], ["id", "size"], { examples: [] });

  test("is a command with the summary and the result of its endpoint, and the flags of every list", () => {
    expect(command).toMatchObject({ name: "list", verb: "list", summary: "List a project's things", prints: "rows" });
    expect(command.returns).toBe(thing);
    expect(names(command.params)).toEqual([
      ...["project", "with_size", "pagination", "group"],
      ...["limit", "page", "per_page"],
    ]);
  });

  test("shows a column that is returned only on request only if it was requested", async () => {
    const { view, rows, requests } = await run(command, { project: "7" });
    expect([view.columns, rows, requests[0]?.path]).toEqual([
      ["id"],
      [{ id: 1, name: "a" }, { id: 2 }],
      "/projects/7/things",
    ]);
    expect(view).not.toHaveProperty("reveal");
    expect(view).not.toHaveProperty("passage");
    expect((await run(command, { project: "7", with_size: true })).view.columns).toEqual(["id", "size"]);
    expect((await run(command, { group: "acme" })).requests[0]?.path).toBe("/groups/acme/things");
  });

  test("by cursor has no page numbers", async () => {
    await expect(run(command, { project: "7", pagination: true, page: 2 })).rejects.toMatchObject({
      exit: "usage",
      message: "--keyset does not support page numbers: leave out --page",
    });
    expect((await run(command, { project: "7", pagination: false, page: 2 })).rows).toHaveLength(2);
    expect((await run(command, { project: "7", pagination: true })).rows).toHaveLength(2);
  });

  test("is shown as declared, and reveals secrets only if asked to", async () => {
    const entityOf = entity("Other", { id: id(), twice: integer() });
    const passage = () => ({ heading: [] });
    const read = (row: object) => ({ twice: 2 * (row as { id: number }).id });
    const other = list("list", listed, ["twice"], { examples: [], shown: { entity: entityOf, passage, read } });
    expect(other.returns).toBe(entityOf);
    const { view, rows } = await run(other, { project: "7", reveal: true });
    expect(rows).toEqual([{ twice: 2 }, { twice: 4 }]);
    expect(view).toMatchObject({ passage, reveal: true });
  });

  test("sends what is fixed", async () => {
    const fixed = { with_size: true };
    const command = list("list", [listed], ["id"], { examples: [], details: "So.", fixed });
    expect([names(command.params).includes("with_size"), command.details]).toEqual([false, "So."]);
    const { url, seen } = await smallInstance({ "GET /projects/7/things": [] });
    const view = (await command.run(contextFor(url), { project: "7" } as never)) as RowsView;
    await collected((view.rows as Batched).batches());
    expect(seen).toEqual(["GET /projects/7/things?with_size=true&per_page=100"]);
  });
});

describe("get, create, and update", () => {
  const view = (record: object, input: object) => ({ message: `${Object.keys(record)} of ${Object.keys(input)}` });

  test.each([
    ["get", get("show", shownOne as Endpoint, { examples: [] })],
    ["create", create("show", made, { examples: [] })],
    ["update", update("show", [changed], { examples: [] })],
  ])("%s is a command with one record", async (verb, command) => {
    expect(command).toMatchObject({ name: "show", verb, prints: "record", returns: thing });
    const { view } = await run(command, { project: "7", thing_id: 1, name: "n" });
    expect(view).toStrictEqual({ record: expect.objectContaining({ id: 1 }) });
  });

  test("have the summary of the first endpoint, and arguments and help as declared", () => {
    const command = update("x", [changed, made], {
      examples: [],
      argument: "name",
      details: "So.",
      requests: [shownOne],
    });
    expect(command).toMatchObject({ summary: "Change a thing", details: "So." });
    expect([names(command.args), names(command.params)]).toEqual([["name"], ["project", "thing_id", "resolved"]]);
    expect(command.requests).toEqual([changed, made, shownOne]);
  });

  test("send what is fixed, are shown as declared, and reveal secrets only if asked to", async () => {
    const command = update("x", changed, { examples: [], fixed: { resolved: true }, shown: { entity: thing, view } });
    const input = { project: "7", thing_id: 1, name: "n", reveal: true };
    const { view: shown, requests } = await run(command, input);
    expect(requests[0]).toEqual({
      method: "PUT",
      path: "/projects/7/things/1",
      query: "",
      body: { name: "n", resolved: true },
    });
    expect(shown).toMatchObject({ entity: thing, message: `id,name,resolved of ${Object.keys(input)}`, reveal: true });
    expect((await run(command, { ...input, reveal: false })).view).not.toHaveProperty("reveal");
  });

  test("look up an abbreviated ID", async () => {
    const called = () => "";
    const shortened = { name: "thing_id", noun: "thing", length: 9, among: [listed], listed: "things list", called };
    const { requests } = await run(get("x", shownOne as Endpoint, { examples: [], shortened }), {
      project: "7",
      thing_id: "2",
    });
    expect(requests.map(({ path }) => path)).toEqual(["/projects/7/things", "/projects/7/things/2"]);
  });

  test("check a change whose answer was lost, if something shows it", async () => {
    let isSent = false;
    const { context, log } = await scriptedInstance(({ method }) => {
      if (method === "GET") return [200, [{ id: "m" }, ...(isSent ? [{ id: "n" }] : [])]];
      isSent = true;
      return "lost";
    });
    const input = { project: "7", name: "n" } as never;
    const shows = { ...listed, returns: entity("Name", { id: string() }) };
    const checked = create("x", made, { examples: [], argument: "name", shows });
    expect(await checked.run(context, input)).toEqual({ record: input });
    expect(log()).toEqual(["GET /projects/7/things", "POST /projects/7/things", "GET /projects/7/things"]);
    const error = await create("x", made, { examples: [] })
      .run(context, input)
      .catch((thrown: unknown) => thrown);
    expect((error as Failure).details.outcome).toBe("unknown");
  });
});
