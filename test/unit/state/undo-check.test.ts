import { describe, expect, test } from "vitest";
import type { Action, Values } from "../../../src/state/kind.ts";
import { hooksKind } from "../../../src/state/kinds/hooks.ts";
import { samlLinksKind } from "../../../src/state/kinds/links.ts";
import { settingsKind } from "../../../src/state/kinds/settings.ts";
import { isExplained, mayHaveChanged } from "../../../src/state/rollback/undo-check.ts";
import type { RunEntry } from "../../../src/state/runs/runs.ts";
import { changeOf, declared } from "../../support/compared.ts";

const url = "https://a.example/in";

function entry(
  status: RunEntry["status"],
  before: Values | null,
  after: Values | null,
  more: { [K in keyof RunEntry]?: RunEntry[K] | undefined } = {},
): RunEntry {
  return {
    address: "acme#hooks/Deploys",
    at: "group",
    scope: "acme",
    kind: "hooks",
    key: "Deploys",
    id: 1,
    action: "update",
    status,
    error: null,
    before,
    after,
    sent: after,
    secrets: [],
    ...more,
  } as RunEntry;
}

/** The change back to `to` of a hook that has the description `now`. */
const back = (to: string, now: string) =>
  changeOf(
    hooksKind,
    { name: "Deploys", description: to },
    { id: 1, name: "Deploys", url, push_events: true, description: now },
  );
const was = { description: "was" };
const set = { description: "set" };

describe("an update is undone only where the object is as the run left it", () => {
  test.each<[law: string, now: string, entries: RunEntry[], explained: boolean]>([
    ["as the run wrote it", "set", [entry("done", was, set)], true],
    ["as before, since another attempt undid it", "was", [entry("done", was, set)], true],
    ["changed by another user", "other", [entry("done", was, set)], false],
    ["as the instance altered it", "alt", [entry("altered", was, { description: "alt" }, { sent: set })], true],
    ["as an interrupted run sent it", "set", [entry("unknown", was, null, { sent: set })], true],
    ["not as a run that is done sent it", "set", [entry("done", was, { description: "alt" }, { sent: set })], false],
    ["something else after an interrupted run", "other", [entry("unknown", was, null, { sent: set })], false],
    [
      "anything, if an older run does not say what it sent",
      "other",
      [entry("unknown", was, null, { sent: undefined })],
      true,
    ],
    ["anything, if an older run failed", "other", [entry("failed", was, null, { sent: undefined })], true],
    ["but not if it is done", "other", [entry("done", was, set, { sent: undefined })], false],
    [
      "as an earlier rollback left it",
      "mid",
      [entry("done", was, set), entry("done", set, { description: "mid" })],
      true,
    ],
    ["if nothing is known of the field", "set", [entry("done", {}, {})], false],
  ])("%s: %s", (_law, now, entries, explained) => {
    expect(isExplained(back("first", now), entries)).toBe(explained);
  });

  test("what is as declared already needs no explanation", () => {
    const change = { ...back("was", "set"), write: ["description", "name", "moon"] };
    expect(isExplained(change, [entry("done", was, set)])).toBe(true);
    expect(isExplained({ ...change, write: ["name"] }, [])).toBe(true);
    expect(isExplained(change, [])).toBe(false);
  });

  test("an interrupted change of the address may have dropped the headers", () => {
    const live = { id: 1, name: "Deploys", url, push_events: true, custom_headers: [{ key: "x" }] };
    const change = changeOf(hooksKind, { name: "Deploys", custom_headers: [{ key: "a", value: "v" }] }, live);
    const headers = { custom_headers: [{ key: "a" }] };
    expect(isExplained(change, [entry("unknown", headers, null, { sent: {} })])).toBe(true);
    expect(isExplained(change, [entry("done", headers, headers, { sent: {} })])).toBe(false);
  });

  test("an interrupted change may have replaced what it takes with it", () => {
    const [old, name] = ["default_branch_protection", "default_branch_protection_defaults"];
    const before = { [old]: 2, [name]: { allow_force_push: false } };
    const change = changeOf(settingsKind, before, { [old]: 0, [name]: { allow_force_push: true } });
    expect(isExplained(change, [entry("unknown", before, null, { sent: { [old]: 0 } })])).toBe(true);
    expect(isExplained(change, [entry("done", before, { ...before, [old]: 0 }, { sent: { [old]: 0 } })])).toBe(false);
  });

  test("an interrupted removal may have turned any event off", () => {
    const change = changeOf(
      hooksKind,
      { name: "Deploys", push_events: true },
      { id: 1, name: "Deploys", url, push_events: false },
    );
    const before = { push_events: true };
    const of = (action: Action) => isExplained(change, [entry("unknown", before, null, { sent: null, action })]);
    expect([of("disarm"), of("update")]).toEqual([true, false]);
    const text = back("first", "");
    expect(isExplained(text, [entry("unknown", was, null, { sent: null, action: "disarm" })])).toBe(false);
  });
});

describe("what the run removed is created again only if the run may have removed it", () => {
  const change = changeOf(samlLinksKind, { name: "Engineering", access_level: 30 }, undefined);
  const link = { name: "Engineering", access_level: 30 };
  test.each<[law: string, entry: RunEntry, explained: boolean]>([
    ["it did", entry("done", link, null, { action: "delete", sent: null }), true],
    ["it created it, and another attempt removed it", entry("done", null, link), true],
    ["it changed it, so that another user removed it", entry("done", link, link), false],
    ["it may have", entry("unknown", link, null, { action: "delete", sent: null }), true],
    ["half of a replacement", entry("unknown", link, null, { action: "replace", sent: link }), true],
    ["an interrupted change does not remove", entry("unknown", link, null, { action: "update", sent: link }), false],
    ["an interrupted creation", entry("unknown", null, null, { action: "create", sent: link }), true],
  ])("%s", (_law, each, explained) => {
    expect(isExplained(change, [each])).toBe(explained);
  });
});

describe("what the run created is removed only if it is still that", () => {
  const removal = (live: Values) => changeOf(samlLinksKind, undefined, { name: "Engineering", ...live });
  const link = { name: "Engineering", access_level: 30 };
  test.each<[law: string, live: Values, entry: RunEntry, explained: boolean]>([
    ["as created", { access_level: 30 }, entry("done", null, link), true],
    [
      "with fields that the run did not write",
      { access_level: 30, member_role_id: 4 },
      entry("done", null, link),
      true,
    ],
    ["changed since", { access_level: 40 }, entry("done", null, link), false],
    ["as it was sent by an interrupted run", { access_level: 30 }, entry("unknown", null, null, { sent: link }), true],
    ["another than was sent", { access_level: 40 }, entry("unknown", null, null, { sent: link }), false],
    [
      "by what it became, not by what was sent",
      { access_level: 20 },
      entry("altered", null, { ...link, access_level: 20 }, { sent: { ...link, other: 1 } }),
      true,
    ],
  ])("%s", (_law, live, each, explained) => {
    expect(isExplained(removal(live), [each])).toBe(explained);
  });
});

test.each<[RunEntry["status"], boolean]>([
  ["done", true],
  ["altered", true],
  ["not_taken", true],
  ["unknown", true],
  ["failed", false],
  ["unchanged", false],
  ["refused", false],
  ["stale", false],
  ["unreadable", false],
  ["skipped", false],
  ["not_tried", false],
])("a change that ended as %s may have changed something: %s", (status, changed) => {
  expect(mayHaveChanged(entry(status, was, null))).toBe(changed);
});

test("a failure of an older run may be half made, if there was something before", () => {
  expect(mayHaveChanged(entry("failed", was, null, { sent: undefined }))).toBe(true);
  expect(mayHaveChanged(entry("failed", null, null, { sent: undefined }))).toBe(false);
});

describe("a hash is as the run left it only with all of its keys", () => {
  const name = "repository_storages_weighted";
  const now = (value: Values) =>
    changeOf(settingsKind, declared({ [name]: { default: 100 } }, { whole: true }), { [name]: value });
  const [was, set] = [{ [name]: { default: 100 } }, { [name]: { default: 100, nas: 50 } }];
  const part = { [name]: { nas: 50 } };
  test.each<[law: string, now: Values, entries: RunEntry[], explained: boolean]>([
    ["as the run wrote it", { default: 100, nas: 50 }, [entry("done", was, set, { sent: part })], true],
    ["with a key of another user", { default: 100, nas: 50, x: 1 }, [entry("done", was, set, { sent: part })], false],
    ["as it may have been sent", { default: 100, nas: 50 }, [entry("unknown", was, null, { sent: part })], true],
    ["with less than was sent", { default: 1 }, [entry("unknown", was, null, { sent: part })], false],
    ["with more than was sent", { default: 100, nas: 50, x: 1 }, [entry("unknown", was, null, { sent: part })], false],
  ])("%s", (_law, value, entries, explained) => {
    expect(isExplained(now(value), entries)).toBe(explained);
  });
});
