import { describe, expect, test } from "vitest";
import type { AnyEndpoint } from "../../../src/api/endpoint.ts";
import { type ExitName, Failure } from "../../../src/base/errors.ts";
import { movedTo, Places, replacedBy } from "../../../src/state/live/places.ts";

const project = { at: "project", name: "acme/x" } as const;
const group = { at: "group", name: "acme" } as const;

/** Places of an instance that answers every lookup so, and what was looked up. */
function placesOf(answer: object) {
  const asked: string[] = [];
  const places = new Places(async ({ route }: AnyEndpoint, input) => {
    asked.push(`${route} ${Object.values(input)}`);
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return { places, asked };
}

describe("a project or a group as the instance answers it", () => {
  test.each<[string, object, object, object]>([
    ["a project", project, { id: 7, path_with_namespace: "acme/x", full_path: "p" }, { id: 7, path: "acme/x" }],
    ["a group", group, { id: "4", full_path: "acme", path_with_namespace: "p" }, { id: 4, path: "acme" }],
    ["one without its ID and path", project, { id: null }, { id: undefined, path: undefined }],
    ["an archived one", project, { archived: true }, { inactive: "archived" }],
    ["one that is not", project, { archived: false, marked_for_deletion_on: null }, { inactive: undefined }],
    ["one that will be deleted", group, { marked_for_deletion_on: "2026-12-01" }, { inactive: "about to be deleted" }],
  ])("%s", async (_, scope, answer, place) => {
    expect(await placesOf(answer).places.of(scope as typeof project)).toMatchObject(place);
  });

  test("only the fields that are objects of a kind are kept of it", async () => {
    const answer = { id: 7, container_registry_access_level: "private", description: "long" };
    expect((await placesOf(answer).places.of(project))?.values).toEqual({ container_registry_access_level: "private" });
    expect((await placesOf({ id: 7 }).places.of(project))?.values).toEqual({});
  });

  test("is looked up once, whatever the case of its name", async () => {
    const { places, asked } = placesOf({ id: 7 });
    await places.of(project);
    await places.of({ at: "project", name: "ACME/x" });
    await places.of(group);
    expect(asked).toEqual(["GET /projects/:project acme/x", "GET /groups/:group acme"]);
  });

  test("the instance is none", async () => {
    const { places, asked } = placesOf({ id: 7 });
    expect([await places.of({ at: "instance", name: "" }), asked]).toEqual([undefined, []]);
  });

  test.each<[ExitName, boolean]>([
    ["notFound", true],
    ["forbidden", true],
    ["unauthenticated", false],
    ["network", false],
  ])("a lookup that is %s: nothing is known, %s", async (exit, isUnknown) => {
    const { places } = placesOf(new Failure(exit, "failed"));
    if (isUnknown) expect(await places.of(project)).toBeUndefined();
    else await expect(places.of(project)).rejects.toThrow("failed");
    await expect(placesOf(new Error("a bug")).places.of(project)).rejects.toThrow("a bug");
  });
});

test("a scope is proved by its lookup, or by something in it; once", async () => {
  const found = placesOf({ id: 7 }).places;
  expect(await found.isProved(project, () => Promise.reject(new Error("not asked")))).toBe(true);
  const { places } = placesOf(new Failure("notFound", "failed"));
  expect(await places.isProved(project, async () => false)).toBe(false);
  expect(await places.isProved(project, async () => true)).toBe(false);
  expect(await places.isProved(group, async () => true)).toBe(true);
});

test.each([
  ["acme/x", "acme/y", "acme/y"],
  ["acme/x", "Acme/X", undefined],
  ["acme/x", undefined, undefined],
  ["7", "acme/y", undefined],
])("%s that is %s has moved to %s", (name, path, moved) => {
  const place = { path, id: 7, inactive: undefined, values: {}, endpoint: {} as AnyEndpoint };
  expect(movedTo({ at: "project", name }, place)).toBe(moved);
  expect(movedTo({ at: "project", name }, undefined)).toBeUndefined();
});

describe("a path that has become that of another project or group", () => {
  const place = (id: number | undefined) => ({
    endpoint: undefined as never,
    id,
    path: "acme/x",
    inactive: undefined,
    values: {},
  });
  test.each<[known: number | undefined, now: number | undefined, said: string | undefined]>([
    [7, 9, "acme/x is another project by now: its ID is 9, and was 7"],
    [7, 7, undefined],
    [7, undefined, undefined],
    [undefined, 9, undefined],
  ])("known as %s, %s now", (known, now, said) => {
    expect(replacedBy({ ...project, id: known }, place(now))).toBe(said);
    expect(replacedBy({ ...project, id: known }, undefined)).toBeUndefined();
  });
});
