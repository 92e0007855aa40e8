import { describe, expect, test } from "vitest";
import { endpoint } from "../../../src/api/endpoint.ts";
import { entity, id, string } from "../../../src/api/field.ts";
import type { Failure } from "../../../src/base/errors.ts";
import type { RowsView } from "../../../src/terminal/view.ts";
import { remove } from "../../../src/verbs/remove.ts";
import { scriptedInstance } from "../../support/scripted-instance.ts";

const project = string("Project", { scope: "project" });
const tag_name = string("Tag");
const plain = { summary: "Delete a tag", returns: "nothing", access: {} } as const;
const deletion = endpoint({
  ...plain,
  route: "DELETE /projects/:project/tags/:tag_name",
  params: { project, tag_name },
});
const shown = endpoint({
  route: "GET /projects/:project/tags",
  summary: "List tags",
  params: { project },
  returns: entity("Tag", { id: string(), size: id() }),
  page: "offset",
  access: {},
});
type Options = Partial<Parameters<typeof remove>[2]>;

/** Runs a deletion of these tags; the instance loses answers for `lost`, which it had, and still has `kept` then. */
async function deleted(
  tags: string | string[],
  options: Options = {},
  { lost = "", kept = [], had = [lost, ...kept] }: { lost?: string; kept?: string[]; had?: string[] } = {},
) {
  let isSent = false;
  const command = remove("delete", deletion, { noun: "tag", examples: [], ...options });
  const { context, log } = await scriptedInstance(({ method, path }) => {
    if (method === "GET") return [200, (isSent ? kept : had).map((name) => ({ id: name }))];
    isSent = true;
    return path.endsWith(`/${lost}`) ? "lost" : [204];
  });
  const asked: string[] = [];
  const answer = async ({ action }: { action: string }) => void asked.push(action);
  Object.assign(context, { answer });
  const rows: object[] = [];
  let view: RowsView | undefined;
  const error = await (async () => {
    view = (await command.run(context, { project: "7", tag_name: tags } as never)) as RowsView;
    for await (const row of view.rows as AsyncIterable<object>) rows.push(row);
  })().catch((thrown: unknown) => thrown as Failure);
  return { view, rows, error, asked, sent: log(), notices: context.notices };
}

describe("a deletion", () => {
  test("asks for exactly what it is about to delete, and says what was deleted", async () => {
    const { view, rows, asked, sent, error } = await deleted("v1");
    expect(asked).toEqual(["delete tag v1 (project 7)"]);
    expect(sent).toEqual(["DELETE /projects/7/tags/v1"]);
    expect(rows).toEqual([{ tag_name: "v1", status: "deleted" }]);
    expect(view).toMatchObject({ columns: ["tag_name", "status"] });
    expect([view?.entity, error]).toEqual([undefined, undefined]);
  });

  test("may have another word and a remark", async () => {
    expect((await deleted("v1", { action: "revoke", noun: "key" })).asked).toEqual(["revoke key v1 (project 7)"]);
  });

  test("of many names them all, each once, and has a row for each", async () => {
    const { view, rows, asked, sent } = await deleted(["v1", "v2", "v1"], { many: true });
    expect(asked).toEqual(["delete tags v1, v2 (project 7)"]);
    expect(sent.toSorted()).toEqual(["DELETE /projects/7/tags/v1", "DELETE /projects/7/tags/v2"]);
    expect(rows).toEqual(["v1", "v2"].map((name) => ({ tag_name: name, status: "deleted" })));
    expect(view).toMatchObject({ columns: ["tag_name", "status", "error"], validIfPartial: true });
  });

  test("with a name that cannot be one is refused before the question", async () => {
    const { error, asked, sent } = await deleted(["v1", ".."], { many: true });
    expect(error).toMatchObject({ exit: "usage" });
    expect([asked, sent]).toEqual([[], []]);
  });

  test("that is not confirmed sends nothing", async () => {
    const command = remove("delete", deletion, { noun: "tag", examples: [], remark: "It is gone for ever" });
    const { context, log } = await scriptedInstance(() => [204]);
    Object.assign(context, { prompt: { available: false } });
    await expect(command.run(context, { project: "7", tag_name: "v1" } as never)).rejects.toMatchObject({
      exit: "usage",
      details: { code: "confirmation_needed", reason: "It is gone for ever" },
    });
    expect(log()).toEqual([]);
  });
});

describe("a deletion whose answer is lost", () => {
  test("is checked, if something shows what was deleted", async () => {
    const { rows, notices, sent } = await deleted("v1", { shows: shown }, { lost: "v1", kept: ["v2"] });
    expect(rows).toEqual([{ tag_name: "v1", status: "deleted" }]);
    expect(notices).toEqual(["the answer was lost; a check shows that tag v1 is gone"]);
    // Deletions at the same time shift the pages of a list.
    const look = "GET /projects/7/tags";
    expect(sent).toEqual([look, "DELETE /projects/7/tags/v1", look, look]);
  });

  test("is unknown if it was not there before", async () => {
    const { error, notices } = await deleted("v1", { shows: shown }, { lost: "v1", had: ["v2"] });
    expect([error?.details.outcome, notices]).toEqual(["unknown", []]);
  });

  test("and that a check does not show, or without a check, is unknown", async () => {
    const kept = await deleted("v1", { shows: shown }, { lost: "v1", kept: ["v1"] });
    expect(kept.error?.details.outcome).toBe("unknown");
    expect((await deleted("v1", {}, { lost: "v1" })).error?.details.outcome).toBe("unknown");
  });
});

describe("the command", () => {
  const command = (options: Options = {}) => remove("delete", deletion, { noun: "tag", examples: [], ...options });

  test("has the summary of its endpoint, and takes one or many as its last argument", () => {
    expect(command()).toMatchObject({ name: "delete", verb: "remove", summary: "Delete a tag", prints: "rows" });
    expect(command().args.tag_name).toMatchObject({ kind: "string", required: true });
    expect(command({ many: true }).args.tag_name).toMatchObject({
      kind: "array",
      required: true,
      description: "Tag",
      item: { kind: "string" },
    });
    expect(Object.keys(command().params)).toEqual(["project"]);
  });

  test("takes the places before the last one as they are, and its own help", () => {
    const nested = endpoint({ ...plain, route: "DELETE /boxes/:box/tags/:tag_name", params: { box: id(), tag_name } });
    const { args, details } = remove("delete", nested, { noun: "tag", examples: [], many: true, details: "So." });
    expect(Object.entries(args).map(([name, { kind }]) => [name, kind])).toEqual([
      ["box", "id"],
      ["tag_name", "array"],
    ]);
    expect(details).toBe("So.");
  });

  test("names its requests, and the fields of its result", () => {
    expect(command({ shows: shown }).requests).toEqual([deletion, shown]);
    expect(command().requests).toEqual([deletion]);
    const { name, shape } = command().returns ?? {};
    expect([name, Object.keys(shape ?? {})]).toEqual(["Deleted", ["tag_name", "status", "error"]]);
    expect(shape?.tag_name).toMatchObject({ kind: "string", whole: true });
  });
});
