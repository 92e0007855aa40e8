import { describe, expect, test } from "vitest";
import type { Change, Values } from "../../../src/state/kind.ts";
import { hooksKind as hooks } from "../../../src/state/kinds/hooks.ts";
import { projectHooksKind } from "../../../src/state/kinds/project-hooks.ts";
import { changeOf, compared, words } from "../../support/compared.ts";

const url = "https://a.example/in";
const other = "https://b.example/in";
const deploys = { id: 2, name: "Deploys", url, push_events: true, note_events: null };
const header = (key: string, value?: string) => ({ key, ...(value !== undefined && { value }) });

function requests(change: Change): [route: string, input: Values][] {
  return change.kind.steps(change).map(({ endpoint, input }) => [endpoint.route, input]);
}

const update = "PUT /groups/:group/hooks/:hook_id";
const at = { group: "acme", hook_id: 2, url };

describe("events", () => {
  test("`events` is exact over all flags, those of the hook's own included", () => {
    const { desired } = changeOf(hooks, { name: "Deploys", events: ["note"] }, { ...deploys, moon_events: true });
    const on = Object.entries(desired?.values ?? {}).filter(([, value]) => value === true);
    expect(on).toEqual([["note_events", true]]);
    expect(desired?.values).toMatchObject({ push_events: false, member_events: false, moon_events: false });
    expect(desired?.values).not.toHaveProperty("events");
  });

  test("a single flag changes only itself", () => {
    const change = changeOf(hooks, { name: "Deploys", note_events: true }, deploys);
    expect([change.desired?.values, change.write]).toEqual([{ name: "Deploys", note_events: true }, ["note_events"]]);
  });

  test("a flag beside `events` overrides it; null is off", () => {
    const to = { name: "Deploys", events: ["push", "note"], note_events: false };
    expect(compared(hooks, [to], [deploys]).equal).toBe(1);
  });

  test.each<[what: string, to: Values, live: Values[], problem: string | undefined]>([
    ["a documented event", { events: ["wiki_page"] }, [], undefined],
    [
      "an event of no hook",
      { events: ["moon", "sun"] },
      [],
      "neither the API documents nor the instance have moon_events, sun_events",
    ],
    ["a flag of no hook", { moon_events: true }, [], "neither the API documents nor the instance have moon_events"],
    ["an event that any hook of the list has", { events: ["moon"] }, [{ moon_events: false }], undefined],
    ["one that it has as null", { events: ["moon"] }, [{}, { moon_events: null }], undefined],
    ["one that it has as a text", { events: ["moon"] }, [{ moon_events: "true" }], undefined],
    [
      "a field that is not a switch, despite its ending",
      { events: ["moon"] },
      [{ moon_events: 12 }],
      "neither the API documents nor the instance have moon_events",
    ],
    [
      "a name with other characters",
      { events: ["Moon"] },
      [{ Moon_events: true }],
      "neither the API documents nor the instance have Moon_events",
    ],
  ])("%s", (_what, to, live, problem) => {
    expect(hooks.settle?.(to, undefined, live).problem).toBe(problem);
  });

  test("a new hook has only what is declared", () => {
    expect(hooks.settle?.({ name: "x", push_events: true }, undefined, [])).toEqual({
      values: { name: "x", push_events: true },
    });
  });

  test("a flag that the documents do not name is a switch; other names are no field", () => {
    expect(hooks.fieldOf?.("moon_events")).toEqual({ form: "boolean", absent: false });
    expect(["moon", "_events", "moon_events_x", "x y_events"].map((name) => hooks.fieldOf?.(name))).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
  });

  test.each([
    [{ push_events: true }, false],
    [{ push_events: "true" }, false],
    [{ moon_events: 12 }, true],
    [{ moon_events: 1 }, false],
    [{ moon_events: true }, false],
    [{ push_events: false, note_events: null }, true],
    [{}, true],
  ])("a hook with %j counts as removed: %s", (live, removed) => {
    expect(hooks.ignores?.(live, { at: "group", name: "acme" })).toBe(removed);
  });

  test("an export names the events that are on, in place of the flags", () => {
    const live = { id: 2, url, push_events: true, tag_push_events: "true", note_events: false, moon_events: true };
    expect(hooks.condense?.(live)).toEqual({ id: 2, url, events: ["push", "tag_push", "moon"] });
  });
});

describe("requests", () => {
  test("a new hook is sent as it is declared; undocumented flags apart", () => {
    const to = { name: "Deploys", url, push_events: true, milestone_events: true };
    const { milestone_events, ...documented } = to;
    const { changes } = compared(hooks, [to], [{ id: 9, url: other, milestone_events: false }]);
    expect(changes.flatMap(requests)).toEqual([
      ["POST /groups/:group/hooks", { group: "acme", ...documented, more_events: { milestone_events } }],
    ]);
  });

  test("a change sends what differs, always with the URL, and never the ID", () => {
    const change = changeOf(hooks, { id: 2, name: "Chat", description: "x" }, deploys);
    expect(requests(change)).toEqual([[update, { ...at, name: "Chat", description: "x" }]]);
    expect(requests({ ...change, write: ["id", "name"] })).toEqual([[update, { ...at, name: "Chat" }]]);
  });

  test("a removal turns off all flags, the hook's own included, and leaves the rest", () => {
    const change = changeOf(hooks, undefined, { ...deploys, moon_events: true, custom_headers: [header("a")] });
    const [[route, input] = ["", {}], ...more] = requests(change);
    expect([route, more]).toEqual([update, []]);
    expect(input).toMatchObject({ ...at, push_events: false, member_events: false });
    expect(input.more_events).toMatchObject({ moon_events: false });
    expect(Object.values({ ...input, more_events: undefined }).filter((value) => value === true)).toEqual([]);
    expect(input).not.toHaveProperty("custom_headers");
  });

  test("headers are merged by their keys: those to be removed have a request each, which an instance may lack", () => {
    const live = { ...deploys, custom_headers: [header("a"), header("b"), header("c")] };
    const change = changeOf(hooks, { name: "Deploys", custom_headers: [header("b", "secret")] }, live);
    const place = { group: "acme", hook_id: 2 };
    expect(requests(change)).toEqual([
      ["DELETE /groups/:group/hooks/:hook_id/custom_headers/:key", { ...place, key: "a" }],
      ["DELETE /groups/:group/hooks/:hook_id/custom_headers/:key", { ...place, key: "c" }],
      [update, { ...at, custom_headers: [header("b", "secret")] }],
    ]);
    expect(hooks.steps(change).map(({ optional }) => optional)).toEqual([true, true, undefined]);
  });

  test("what does not change the headers removes none", () => {
    const live = { ...deploys, custom_headers: [header("a")] };
    const change = changeOf(hooks, { name: "Deploys", description: "x" }, live);
    expect(requests(change)).toEqual([[update, { ...at, description: "x" }]]);
  });

  test("a new URL drops token and headers: both are sent along, the headers in a second request", () => {
    const to = { name: "Deploys", url: other, token: "t", custom_headers: [header("a", "v")] };
    const change = changeOf(hooks, to, { ...deploys, custom_headers: [header("a"), header("b")] });
    expect(change.write).toEqual(["url", "custom_headers", "token"]);
    expect(requests(change)).toEqual([
      [update, { ...at, url: other, token: "t" }],
      [update, { ...at, url: other, custom_headers: [header("a", "v")] }],
    ]);
    expect(change.reason).toBeUndefined();
  });

  test("headers that seem the same are sent along with a new URL", () => {
    const to = { name: "Deploys", url: other, token: "t", custom_headers: [header("a", "v")] };
    const change = changeOf(hooks, to, { ...deploys, custom_headers: [header("a")] });
    expect(change.write).toEqual(["url", "token", "custom_headers"]);
  });

  test("headers alone are one request", () => {
    const change = changeOf(hooks, { name: "Deploys", custom_headers: [header("a", "v")] }, deploys);
    expect(requests(change)).toEqual([[update, { ...at, custom_headers: [header("a", "v")] }]]);
  });

  test.each<[what: string, to: Values, live: Values, write: string[], reason: string | undefined]>([
    ["the token is not given", { url: other }, {}, ["url"], "a new url drops token, which the file does not give"],
    [
      "headers are not given",
      { url: other, token: "t" },
      { custom_headers: [header("a")] },
      ["url", "token"],
      "a new url drops custom_headers, which the file does not give",
    ],
    ["nothing is lost", { url: other, token: "t" }, { custom_headers: [] }, ["url", "token"], undefined],
    ["the URL stays", { url, description: "x" }, { custom_headers: [header("a")] }, ["description"], undefined],
  ])("of a new URL: %s", (_what, to, live, write, reason) => {
    const change = changeOf(hooks, { name: "Deploys", ...to }, { ...deploys, ...live });
    expect([change.write.toSorted(), change.reason]).toEqual([write.toSorted(), reason]);
  });

  test("a new hook loses nothing", () => {
    expect(changeOf(hooks, { url }, undefined).reason).toBeUndefined();
  });

  test("hooks of projects have requests of their own", () => {
    const project = { project: "acme/storefront" };
    const of = (to: Values | undefined, live: Values | undefined) => requests(changeOf(projectHooksKind, to, live));
    const live = { ...deploys, custom_headers: [header("a")] };
    expect(of({ url }, undefined)).toEqual([["POST /projects/:project/hooks", { ...project, url }]]);
    expect(of({ name: "Deploys", custom_headers: [] }, live).map(([route]) => route)).toEqual([
      "DELETE /projects/:project/hooks/:hook_id/custom_headers/:key",
      "PUT /projects/:project/hooks/:hook_id",
    ]);
    expect(of(undefined, live)[0]?.[1]).toMatchObject({ ...project, hook_id: 2, url, push_events: false });
  });
});

test("a renamed hook is the one of its URL, never a second one", () => {
  const { changes } = compared(hooks, [{ name: "Releases", url }], [deploys]);
  expect(changes.map(words)).toEqual(["update Releases: name"]);
  const two = compared(hooks, [{ name: "Releases", url }], [deploys, { ...deploys, id: 3, name: "Chat" }]);
  expect(two.changes.map(({ action }) => action)).toEqual(["create", "extra", "extra"]);
});
