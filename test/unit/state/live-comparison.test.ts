import { describe, expect, test } from "vitest";
import type { Change, Values } from "../../../src/state/kind.ts";
import { environmentsKind } from "../../../src/state/kinds/environments.ts";
import { hooksKind } from "../../../src/state/kinds/hooks.ts";
import { jobTokenScopeKind } from "../../../src/state/kinds/job-token.ts";
import { samlLinksKind } from "../../../src/state/kinds/links.ts";
import { settingsKind } from "../../../src/state/kinds/settings.ts";
import { sectionOf, snapshot, uncached } from "../../../src/state/plan/live-comparison.ts";
import { isSameBefore, planRow, preimageOf, touchedFields } from "../../../src/state/plan/plan-row.ts";
import { changeOf, comparedWith, declared, reference } from "../../support/compared.ts";

const url = "https://a.example/in";
const deploys = { id: 2, name: "Deploys", url, push_events: true, description: "was" };
const toSet = changeOf(hooksKind, { name: "Deploys", description: "set" }, deploys);
const link = { name: "Engineering", access_level: 30 };
const creation = changeOf(samlLinksKind, link, undefined);
const removal = changeOf(samlLinksKind, undefined, link);
const disarming = changeOf(hooksKind, undefined, deploys);

describe("an object as it is now, compared with its change", () => {
  test.each<
    [
      law: string,
      change: Change,
      all: Values[],
      found: number | undefined,
      wanted: boolean,
      before: boolean,
      others: string[],
    ]
  >([
    ["as before", toSet, [deploys], 0, false, true, ["description"]],
    ["as wanted", toSet, [{ ...deploys, description: "set" }], 0, true, false, []],
    [
      "as before, since another field does not count",
      toSet,
      [{ ...deploys, branch_filter_strategy: "regex" }],
      0,
      false,
      true,
      ["description"],
    ],
    ["another, by its name", toSet, [{ ...deploys, name: "Chat" }], 0, false, false, ["name", "description"]],
    [
      "found by its ID, not by its name",
      toSet,
      [
        { ...deploys, id: 3 },
        { ...deploys, name: "Chat" },
      ],
      1,
      false,
      false,
      ["name", "description"],
    ],
    ["gone", toSet, [], undefined, false, false, []],
    ["created", creation, [{ name: "Leads", access_level: 30 }, link], 1, true, false, []],
    ["created otherwise", creation, [{ ...link, access_level: 10 }], 0, false, false, ["access_level"]],
    ["not created yet", creation, [], undefined, false, true, []],
    ["not removed yet", removal, [link], 0, false, true, []],
    ["removed", removal, [{ name: "Leads", access_level: 30 }], undefined, true, false, []],
    ["changed since the removal was planned", removal, [{ ...link, access_level: 10 }], 0, false, false, []],
    ["disarmed", disarming, [{ ...deploys, push_events: false }], 0, true, false, []],
    ["armed", disarming, [deploys], 0, false, true, []],
    [
      "a record is the only one",
      changeOf(jobTokenScopeKind, { inbound_enabled: true }, { inbound_enabled: false }),
      [{ inbound_enabled: true }],
      0,
      true,
      false,
      [],
    ],
  ])("%s", (_law, change, all, found, wanted, before, others) => {
    const live = all.map((values) => ({ values }));
    expect(comparedWith(change, live)).toEqual({
      live: found === undefined ? undefined : live[found],
      wanted,
      before,
      others,
      unseen: false,
    });
  });

  test("settings that an answer does not show are not as wanted", () => {
    const change = changeOf(settingsKind, { max_login_attempts: 5 }, { id: 1, max_login_attempts: 7 });
    expect(comparedWith(change, [{ values: { id: 1 } }])).toMatchObject({ wanted: false, others: [], unseen: true });
  });

  test("the settings are the only ones, although an answer may lack their ID", () => {
    const change = changeOf(settingsKind, { max_login_attempts: 5 }, { id: 1, max_login_attempts: 7 });
    const live = { values: { max_login_attempts: 5 } };
    expect(comparedWith(change, [live])).toMatchObject({ live, wanted: true });
  });

  test("a live hook without events is no removal of something else", () => {
    const off = { ...deploys, push_events: false };
    expect(comparedWith({ ...disarming, action: "delete" }, [{ values: off }]).wanted).toBe(false);
  });

  test("an event that the instance no longer has is not as wanted", () => {
    const toMoon = changeOf(hooksKind, { name: "Deploys", events: ["moon"] }, { ...deploys, moon_events: false });
    expect(comparedWith(toMoon, [{ values: { ...deploys, push_events: false } }])).toMatchObject({
      wanted: false,
      others: ["moon_events"],
    });
  });

  test("an unnamed hook of its address is not the named one that was to be created", () => {
    const named = changeOf(hooksKind, { name: "Deploys", url }, undefined);
    expect(comparedWith(named, [{ values: { id: 1, url, push_events: true } }]).live).toBeUndefined();
    const two = [1, 2].map((id) => ({ values: { id, name: "Deploys", url, push_events: true } }));
    expect(comparedWith(named, two).live).toBe(two[0]);
  });

  test("one of several links is the one of its provider", () => {
    const tied = changeOf(samlLinksKind, undefined, { ...link, provider: "two" });
    const all = ["one", "two"].map((provider) => ({ values: { ...link, provider } }));
    expect(comparedWith(tied, all).live).toBe(all[1]);
    const replaced = changeOf(samlLinksKind, { ...link, access_level: 40 }, { ...link, provider: "two" });
    expect(comparedWith(replaced, all.slice(1)).live).toBe(all[1]);
  });

  test("a link that was added again is found by what the file says, with the provider that it has now", () => {
    const { provider: _, ...plain } = { ...link, provider: null };
    const added = { values: { ...link, access_level: 40, provider: "okta" } };
    const toOkta = changeOf(samlLinksKind, added.values, plain);
    expect(comparedWith(toOkta, [added])).toMatchObject({ live: added, wanted: true, others: [] });
    // A file that names no provider means any link of the name.
    const others = ["one", "two"].map((provider) => ({ values: { ...link, access_level: 40, provider } }));
    const toAny = changeOf(samlLinksKind, { ...link, access_level: 40 }, plain);
    expect(comparedWith(toAny, others)).toMatchObject({ live: others[0], wanted: true });
  });

  test("the section that reads the objects names what is desired, and of a removal the object", () => {
    const section = sectionOf([creation, removal]);
    expect(section.entries).toEqual([creation.desired, { values: link, origin: creation.desired?.origin }]);
    expect([section.kind, section.scope]).toEqual([samlLinksKind, creation.scope]);
    expect(sectionOf([removal]).origin).toEqual({ file: "", line: 0 });
    expect(sectionOf([{ ...removal, live: undefined }]).entries).toEqual([]);
  });
});

describe("what a cache may still show", () => {
  const change = changeOf(settingsKind, { max_login_attempts: 5 }, { max_login_attempts: 7, signup_enabled: true });
  const doubtful = { ...change, doubts: new Map([["max_login_attempts", [10]]]) };

  test.each([
    [10, 7],
    ["10", 7],
    [9, 9],
  ])("%j is read as what a recent run wrote: %j", (shown, real) => {
    const live = { values: { max_login_attempts: shown, signup_enabled: false } };
    expect(uncached(doubtful, live)?.values).toEqual({ max_login_attempts: real, signup_enabled: false });
    expect(comparedWith(doubtful, [live]).before).toBe(real === 7);
  });

  test("without a doubt, or an object, there is nothing to replace", () => {
    const live = { values: { max_login_attempts: 10 } };
    expect(uncached(change, live)).toBe(live);
    expect(uncached(doubtful, undefined)).toBeUndefined();
    expect(uncached({ ...doubtful, live: undefined }, live)).toBe(live);
  });
});

describe("the fields that a change affects", () => {
  const live = { ...deploys, created_at: "2026", moon_events: true, custom_headers: [{ key: "a" }], other: 1 };

  test.each<[law: string, change: Change, touched: string[]]>([
    ["of an update, those that are written, and those that identify it", toSet, ["name", "url", "description"]],
    [
      "of a removal all that can be written, the instance's own flags included",
      disarming,
      ["id", "url", "name", "description", "push_events", "custom_headers", "moon_events"],
    ],
  ])("%s", (_law, change, touched) => {
    expect(Object.keys(touchedFields(change, live) ?? {})).toEqual(touched);
  });

  test("of a replacement all", () => {
    const replaced = changeOf(samlLinksKind, { ...link, access_level: 40 }, { ...link, provider: "okta" });
    expect(snapshot(replaced, replaced.live)).toEqual({ ...link, provider: "okta" });
  });

  test("secrets, masked values, and addresses with credentials are not among them", () => {
    const to = declared({ name: "Deploys", description: "set" }, { read: { description: reference("ABOUT") } });
    const change = changeOf(hooksKind, to, { ...deploys, url: "https://u:p@a.example" });
    expect(snapshot(change, change.live)).toEqual({ name: "Deploys" });
    const address = "see https://u:********@a.example";
    expect(snapshot(toSet, { values: { ...deploys, description: address } })).toEqual({ name: "Deploys", url });
    const written = { name: "Deploys", url, description: "********" };
    expect(snapshot(toSet, { values: { ...deploys, description: "********" } })).toEqual(written);
    expect(snapshot(toSet, undefined)).toBeNull();
  });

  test("a hash of them is the same for values that are, and another for others", () => {
    const of = (values: Values) => preimageOf(toSet, { ...deploys, ...values });
    expect(of({})).toMatch(/^[0-9a-f]{16}$/);
    expect([of({ description: "was\n" }), of({ other: 1 }), of({ id: 5 })]).toEqual([of({}), of({}), of({})]);
    expect(of({ description: "other" })).not.toBe(of({}));
    expect(preimageOf(toSet, undefined)).toBeUndefined();
    // FNV-1a of 64 bits, as published: of an empty object as JSON.
    expect(preimageOf(changeOf(jobTokenScopeKind, { inbound_enabled: true }, {}), {})).toBe("08f44b07b5901a25");
  });

  test("secrets count for whether an object is as before; what the instance sets does not", () => {
    const secret = declared({ name: "Deploys", description: "set" }, { read: { description: reference("ABOUT") } });
    const change = changeOf(hooksKind, secret, deploys);
    expect(isSameBefore(change, deploys, { ...deploys, description: "other" })).toBe(false);
    expect(isSameBefore(disarming, live, { ...live, created_at: "2027" })).toBe(true);
    expect(isSameBefore(disarming, live, { ...live, push_events: "true" })).toBe(true);
    expect(isSameBefore(disarming, live, { ...live, moon_events: false })).toBe(false);
    expect([isSameBefore(toSet, undefined, undefined), isSameBefore(toSet, undefined, deploys)]).toEqual([true, false]);
  });
});

test("a row of a plan has the address, and what of it there is", () => {
  const row = planRow(changeOf(environmentsKind, { name: "p", deploy_access_levels: [] }, undefined));
  expect(row).toMatchObject({
    address: "acme/storefront#protected_environments/p",
    scope: "acme/storefront",
    kind: "protected_environments",
    key: "p",
    id: null,
    action: "create",
    lockout: null,
    reason: null,
    preimage: null,
    file: "state.yaml",
    line: 3,
  });
  const settings = planRow({
    ...changeOf(settingsKind, { max_login_attempts: 5 }, { max_login_attempts: 1 }),
    reason: "why",
  });
  expect(settings).toMatchObject({ address: "#settings", scope: null, key: null, reason: "why" });
  expect(settings).toMatchObject({ lockout: "max_login_attempts can lock users out", preimage: expect.any(String) });
  expect(planRow(removal)).toMatchObject({ file: "state.yaml", line: 2 });
  expect(planRow({ ...removal, origin: undefined })).toMatchObject({ file: null, line: null });
});
