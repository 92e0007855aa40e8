import { describe, expect, test } from "vitest";
import type { Kind, Values } from "../../../src/state/kind.ts";
import { environmentsKind } from "../../../src/state/kinds/environments.ts";
import { hooksKind } from "../../../src/state/kinds/hooks.ts";
import { allowlistKind, jobTokenScopeKind } from "../../../src/state/kinds/job-token.ts";
import { ldapLinksKind, samlLinksKind, unknownOfLink } from "../../../src/state/kinds/links.ts";
import { settingsKind } from "../../../src/state/kinds/settings.ts";
import { compareSection, idOf } from "../../../src/state/live/compare.ts";

import { changeOf, compared, declared, plain, reference, sectionOf, words } from "../../support/compared.ts";

const url = "https://deploys.acme.example/in";
const deploys = { id: 1, name: "Deploys", url, push_events: true };
const engineering = { name: "Engineering", access_level: 30 };
const leads = { name: "Platform Leads", access_level: 40 };

describe("what a plan does with an object", () => {
  test.each<[law: string, kind: Kind, to: Values[], from: Values[], changes: string[]]>([
    ["what matches is no change", hooksKind, [{ name: "Deploys", url }], [deploys], []],
    [
      "an object that does not exist is created",
      samlLinksKind,
      [leads],
      [],
      ["create Platform Leads: name, access_level"],
    ],
    [
      "only fields that differ are written",
      hooksKind,
      [{ name: "Deploys", url, description: "x" }],
      [deploys],
      ["update Deploys: description"],
    ],
    [
      "a hook is matched by its ID first, which is never sent",
      hooksKind,
      [{ id: 1, name: "Chat", url }],
      [deploys, { ...deploys, id: 2, name: "Chat" }],
      ["update 1: name", "extra Chat (not in the file; --prune removes it)"],
    ],
    [
      "an ID that does not exist is not created",
      hooksKind,
      [{ id: 9, name: "New", url: "https://b.example" }],
      [],
      ["unreadable 9 (the ID 9 does not exist; leave id out to create it)"],
    ],
    ["in an allowlist the ID is what is created", allowlistKind, [{ id: 9 }], [], ["create 9: id"]],
    [
      "a link has no update: it is replaced",
      samlLinksKind,
      [{ ...engineering, access_level: 40 }],
      [engineering],
      [`replace Engineering: access_level (${unknownOfLink})`],
    ],
    [
      "what lacks a field that a creation needs is not created",
      environmentsKind,
      [{ name: "production", approval_rules: [] }],
      [],
      ["unreadable production (a new one needs deploy_access_levels)"],
    ],
    [
      "an update does not need it",
      environmentsKind,
      [{ name: "production", approval_rules: [] }],
      [{ name: "production", approval_rules: [] }],
      [],
    ],
    [
      "two objects of one key need an ID",
      hooksKind,
      [{ name: "Deploys", description: "x" }],
      [deploys, { ...deploys, id: 2 }],
      [
        "unreadable Deploys (2 of them exist, with the IDs 1, 2: add id to the entry, as forgectl state export writes it)",
      ],
    ],
    [
      "two links of one name need their provider",
      samlLinksKind,
      [engineering],
      [
        { ...engineering, provider: "one" },
        { ...engineering, provider: "two" },
      ],
      ["unreadable Engineering (2 of them exist: add provider to the entry)"],
    ],
    [
      "two links of one name have it in their keys",
      samlLinksKind,
      [{ ...engineering, provider: "one" }],
      [
        { ...engineering, provider: "one" },
        { ...engineering, provider: "two" },
      ],
      ["extra Engineering/two (not in the file; --prune removes it)"],
    ],
    [
      "a record has no key, and is never created or extra",
      jobTokenScopeKind,
      [{ inbound_enabled: true }],
      [{ inbound_enabled: false }],
      ["update: inbound_enabled"],
    ],
    [
      "a setting that the instance does not show is not sent; the others are",
      settingsKind,
      [{ signup_enabled: false, no_such_setting: 1, asset_proxy_enabled: true }],
      [{ signup_enabled: true, asset_proxy_enabled: false }],
      ["unreadable (the instance does not show no_such_setting)", "update: signup_enabled, asset_proxy_enabled"],
    ],
    [
      "nothing is sent for it alone",
      settingsKind,
      [{ no_such_setting: 1, another: 2 }],
      [{}],
      ["unreadable (the instance does not show no_such_setting, another)"],
    ],
    [
      "an unknown event is not sent",
      hooksKind,
      [{ name: "Deploys", url, events: ["pusch"] }],
      [deploys],
      ["unreadable Deploys (neither the API documents nor the instance have pusch_events)"],
    ],
    [
      "rules without IDs can only be added to",
      environmentsKind,
      [{ name: "production", deploy_access_levels: [{ user_id: 4 }] }],
      [{ name: "production", deploy_access_levels: [{ access_level: 40 }] }],
      [
        "unreadable production (instances before release 15.4 show no rule IDs, so deploy_access_levels can only be added to: unprotect it, and apply again)",
      ],
    ],
    [
      "an addition to them is made",
      environmentsKind,
      [{ name: "production", deploy_access_levels: [{ user_id: 4 }] }],
      [{ name: "production", deploy_access_levels: [] }],
      ["update production: deploy_access_levels"],
    ],
  ])("%s", (_law, kind, to, from, changes) => {
    const result = compared(kind, to, from);
    expect(result.changes.map(words)).toEqual(changes);
    const objects = kind.form === "record" ? 1 : to.length;
    expect(result.equal).toBe(result.changes.some(({ desired }) => desired) ? 0 : objects);
  });

  test("a change has the live object with its ID, the declared one, and every field from and to", () => {
    const change = changeOf(hooksKind, { name: "Deploys", url: "https://new.example" }, deploys);
    expect(change).toMatchObject({ id: 1, live: { values: deploys }, desired: { values: { name: "Deploys" } } });
    const place = { secret: false, source: null, file: "state.yaml", line: 3 };
    expect(change.fields).toEqual([{ path: "url", from: url, to: "https://new.example", ...place }]);
    expect([idOf(undefined), idOf({ values: { id: "1" } }), idOf({ values: { id: 1 } })]).toEqual([null, null, 1]);
  });
});

test("a key from a variable is shown as its name; one that is not set is a problem", () => {
  const key = reference("HOOK_NAME");
  const entry = declared({ name: "Deploys", url }, { read: { name: key } });
  const { changes } = compareSection(sectionOf(hooksKind, [entry]), [], plain);
  expect(changes.map(({ key }) => key)).toEqual(["$HOOK_NAME"]);
  const [unread] = compared(hooksKind, [{ name: key, url }], []).changes;
  expect(unread?.reason).toBe("$HOOK_NAME is not set, and identifies it: name");
  const [file] = compared(hooksKind, [{ name: reference("name.txt", "file"), url }], []).changes;
  expect(file?.reason).toBe("file name.txt is not set, and identifies it: name");
});

test("a replacement creates the link with what the file does not name", () => {
  const live = {
    provider: "ldapmain",
    cn: "engineering",
    filter: null,
    group_access: 30,
    member_role_id: 12,
    other: 1,
  };
  const { desired, write } = changeOf(
    ldapLinksKind,
    { provider: "ldapmain", cn: "engineering", group_access: 40 },
    live,
  );
  expect(desired?.values).toEqual({ provider: "ldapmain", cn: "engineering", group_access: 40, member_role_id: 12 });
  expect(write).toEqual(["group_access"]);
});

test("a run's name of an object is shown where its ID matches it", () => {
  const entry = declared({ id: 1, url: "https://new.example" }, { key: "Deploys" });
  expect(changeOf(hooksKind, entry, deploys).key).toBe("Deploys");
});

test("the settings have no key, whatever they are called", () => {
  expect(changeOf(settingsKind, { path: "a" }, { path: "b" })).toMatchObject({ key: "", write: ["path"] });
});

test("new links of one name have keys with their providers", () => {
  const to = ["one", "two"].map((provider) => ({ ...engineering, provider }));
  expect(compared(samlLinksKind, to, []).changes.map(({ key }) => key)).toEqual(["Engineering/one", "Engineering/two"]);
});

test("a change that locks out the caller says so", () => {
  const mine = { name: "production", deploy_access_levels: [{ id: 1, user_id: 1 }] };
  const to = { name: "production", deploy_access_levels: [{ user_id: 4 }] };
  const caller = { id: 1, admin: false };
  expect(changeOf(environmentsKind, to, mine, { caller }).lockout).toMatchObject({ certain: true });
  expect(changeOf(environmentsKind, to, mine).lockout).toBeUndefined();
});
