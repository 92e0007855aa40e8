import { describe, expect, test } from "vitest";
import { endpoint } from "../../../src/api/endpoint.ts";
import { entity, string } from "../../../src/api/field.ts";
import { lookedUp, type Shortened } from "../../../src/verbs/id-prefix.ts";
import { contextFor } from "../../support/context.ts";
import { smallInstance } from "../../support/small-instance.ts";

const threads = endpoint({
  route: "GET /issues/:issue/threads",
  summary: "List threads",
  params: { issue: string() },
  returns: entity("Thread", { id: string(), title: string() }),
  page: "offset",
  access: {},
});
const shortened: Shortened = {
  name: "thread",
  noun: "thread",
  length: 4,
  among: [threads],
  listed: "threads list",
  called: (row) => `"${(row as { title: string }).title}"`,
};

async function found(thread: string) {
  const { url, seen } = await smallInstance({
    "GET /issues/7/threads": [
      { id: "aB12", title: "Why" },
      { id: "ab34", title: "How" },
      { id: "c000", title: "When" },
    ],
  });
  const input = await lookedUp(contextFor(url), { issue: "7", thread }, shortened).catch((error: unknown) => error);
  return { input, asked: seen.length };
}

describe("an abbreviated ID", () => {
  test("of the full length is sent as typed, without a request", async () => {
    expect(await found("AB12")).toEqual({ input: { issue: "7", thread: "AB12" }, asked: 0 });
  });

  test.each([
    ["c", "c000"],
    ["AB1", "aB12"],
    ["ab3", "ab34"],
  ])("%s is the only one that begins so, whatever its case", async (typed, id) => {
    expect(await found(typed)).toEqual({ input: { issue: "7", thread: id }, asked: 1 });
  });

  test("of several is exit 2 and names them all", async () => {
    const { input } = await found("Ab");
    expect(input).toMatchObject({
      exit: "usage",
      message: "2 threads have an ID that begins with ab",
      details: { reason: 'aB12: "Why"\nab34: "How"', hint: "give more of the ID" },
    });
  });

  test("of none is exit 3, with the command that shows the IDs", async () => {
    expect((await found("12")).input).toMatchObject({
      exit: "notFound",
      message: "no thread has an ID that begins with 12",
      details: { hint: "forgectl threads list shows the IDs" },
    });
  });
});
