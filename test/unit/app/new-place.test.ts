import { expect, test } from "vitest";
import { withNewPath } from "../../../src/app/new-place.ts";
import { Failure } from "../../../src/base/errors.ts";
import { contextFor } from "../../support/context.ts";
import { smallInstance } from "../../support/small-instance.ts";

const moved = new Failure("refused", "redirected", { code: "moved", status: 301, hint: "old", reason: "gone" });

async function explained(error: Failure, input: object) {
  const { url, seen } = await smallInstance({
    "GET /projects/old%2Fdocs": { id: 7, path_with_namespace: "new/docs" },
    "GET /projects/ACME%2FDocs": { id: 8, path_with_namespace: "acme/docs" },
    "GET /groups/old": { id: 9, full_path: "new" },
    "GET /groups/year": { id: 11, full_path: "2026" },
    "GET /groups/odd": { id: 10, full_path: "new;id" },
  });
  const context = contextFor(url);
  return { error: await withNewPath(context, error, { ...input }), seen };
}

test.each([
  [{ project: "old/docs" }, "the project old/docs has moved to new/docs", "-p new/docs"],
  [{ project: "old/docs", group: "old" }, "the project old/docs has moved to new/docs", "-p new/docs"],
  [{ group: "old" }, "the group old has moved to new", "-g new"],
  [{ group: "year" }, "the group year has moved to 2026", "-g 11"],
  [{ group: "odd" }, "the group odd has moved to new;id", "-g 'new;id'"],
])(
  "a change that was redirected with %j names the new path, or the ID if that is digits",
  async (input, message, hint) => {
    const { error } = await explained(moved, input);
    expect(error).toMatchObject({ exit: "refused", message });
    expect(error.details).toEqual({ code: "moved", status: 301, reason: "redirected", hint });
  },
);

test.each<[string, Failure, object, number]>([
  ["another error", new Failure("refused", "no"), { project: "old/docs" }, 0],
  ["an ID, which does not move", moved, { project: "7" }, 0],
  ["no place", moved, {}, 0],
  ["a place that is not a text", moved, { group: 9 }, 0],
  ["a path that only differs in case", moved, { project: "ACME/Docs" }, 1],
  ["a path that is not found", moved, { project: "lost" }, 1],
  ["a group that is not found", moved, { group: "lost" }, 1],
])("%s is left as it is", async (_, given, input, requests) => {
  const { error, seen } = await explained(given, input);
  expect(error).toBe(given);
  expect(seen).toHaveLength(requests);
});

test.each(["a7", "7a"])("%s is a path, and not an ID", async (project) => {
  expect((await explained(moved, { project })).seen).toEqual([`GET /projects/${project}`]);
});
