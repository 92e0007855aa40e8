import { describe, expect, test } from "vitest";
import { environmentReference, exportEntry, exportValue, isNothing } from "../../../src/state/fields/export-value.ts";
import { findKind } from "../../../src/state/kinds/index.ts";
import { Commented } from "../../../src/state/yaml/yaml-comment.ts";
import { fieldOf } from "../../support/state-text.ts";

const levels = { guest: 10, maintainer: 40 };
const item = {
  user_id: fieldOf("id"),
  group_id: fieldOf("id"),
  deploy_key_id: fieldOf("id"),
  access_level: fieldOf("level", { levels }),
  inherited: fieldOf("integer", { absent: 0 }),
  note: fieldOf("text"),
  id: fieldOf("id", { readOnly: true }),
};
const rules = fieldOf("rules", { item });

describe("a value is written as a file has it", () => {
  test.each([
    [fieldOf("boolean"), "true", true],
    [fieldOf("integer"), "60", 60],
    [fieldOf("number"), "1.5", 1.5],
    [fieldOf("id"), "7", 7],
    [fieldOf("text"), "7", "7"],
    [fieldOf("level", { levels }), 40, "maintainer"],
    [fieldOf("level", { levels }), "10", "guest"],
    [fieldOf("level", { levels }), 15, 15],
    [fieldOf("level"), 15, 15],
    [fieldOf("names"), ["b", "a", "c"], ["a", "b", "c"]],
    [fieldOf("domains"), ["b", "a"], ["a", "b"]],
    [fieldOf("names"), "a", "a"],
    [fieldOf("list"), ["b", "a"], ["b", "a"]],
    [fieldOf("json"), { a: ["b", "a"] }, { a: ["b", "a"] }],
  ])("%j: %j is %j", (field, value, written) => {
    expect(exportValue(field, value)).toEqual(written);
  });
});

describe("a rule is written as its subject and the details that are not the default", () => {
  test.each([
    [{ id: 1, user_id: 4, group_id: null, access_level: null }, { user_id: 4 }],
    [
      { id: 1, user_id: null, group_id: 9, access_level: 40, inherited: 1 },
      { group_id: 9, inherited: 1 },
    ],
    [{ deploy_key_id: 3, access_level: 40, inherited: 0 }, { deploy_key_id: 3 }],
    [{ access_level: 40, inherited: null, note: "not a detail" }, { access_level: "maintainer" }],
    [{ access_level: 40, inherited: "0" }, { access_level: "maintainer" }],
  ])("%j is %j", (rule, written) => {
    expect(exportValue(rules, [rule])).toEqual([written]);
  });

  test("they are in the order of their subjects", () => {
    const list = [{ user_id: 9 }, { access_level: 40 }, { user_id: 4 }, { group_id: 7 }];
    expect(exportValue(rules, list)).toEqual([
      { group_id: 7 },
      { access_level: "maintainer" },
      { user_id: 4 },
      { user_id: 9 },
    ]);
    expect(exportValue(rules, null)).toBeNull();
  });

  test("an ID has the name behind it that the instance gives", () => {
    for (const name of ["user_id", "group_id", "deploy_key_id"])
      expect(exportValue(rules, [{ [name]: 4, access_level_description: "Ana" }])).toEqual([
        { [name]: new Commented(4, "Ana") },
      ]);
    expect(exportValue(rules, [{ user_id: 4, access_level_description: "" }])).toEqual([{ user_id: 4 }]);
    expect(exportValue(rules, [{ user_id: 4, access_level_description: 1 }])).toEqual([{ user_id: 4 }]);
    const level = { access_level: 15, access_level_description: "Reviewers" };
    expect(exportValue(rules, [level])).toEqual([{ access_level: 15 }]);
  });
});

describe("an entry is written with what can be written again", () => {
  const hooks = findKind("hooks") ?? expect.unreachable();
  const live = {
    id: 4,
    url: "https://x.example",
    name: "N",
    description: "",
    push_events: true,
    tag_push_events: false,
  };
  test.each<[string, object, object]>([
    ["an empty text is written, so that what another user adds is found", { description: null }, {}],
    ["a choice without a value is left out", { branch_filter_strategy: null }, {}],
    ["so is an empty name, by which an entry is found", { name: "" }, { name: undefined }],
    ["a text that the instance does not have is", { description: undefined }, { description: undefined }],
    ["a mask that another person wrote is a text", { description: "[REDACTED]" }, { description: "[REDACTED]" }],
    [
      "a text with an address that is masked is left out",
      { description: "s://[redacted]@h" },
      { description: undefined },
    ],
    ["so is what the instance sets", { created_at: "2026-01-01" }, {}],
    ["so is what cannot be read back", { token: "t" }, {}],
    ["so are headers, of which only the names can be read", { custom_headers: [{ key: "A" }] }, {}],
    ["an unknown field is left out", { brand_new: 1 }, {}],
    ["events are named", { brand_new_events: true }, { events: ["push", "brand_new"] }],
  ])("%s", (_, more, written) => {
    const expected = { id: 4, url: "https://x.example", name: "N", description: "", events: ["push"], ...written };
    const entry = exportEntry(hooks, { ...live, ...more });
    expect({ ...entry, events: (entry.events as string[]).toSorted() }).toEqual({
      ...expected,
      events: expected.events.toSorted(),
    });
  });

  test("its fields are in the order of the kind", () => {
    expect(Object.keys(exportEntry(hooks, live))).toEqual(["id", "url", "name", "description", "events"]);
  });

  test("an address that is masked, or holds credentials, is a variable of the entry", () => {
    for (const url of ["********", "https://[masked].example"])
      expect(exportEntry(hooks, { ...live, url }).url).toEqual({ env: "HOOKS_4_URL" });
    const entry = exportEntry(hooks, { ...live, url: "https://me:pw@x.example" });
    expect(entry.url).toEqual({ env: "HOOKS_4_URL" });
    expect(exportEntry(hooks, { ...live, id: undefined, url: "https://me:pw@x.example" }).url).toEqual({
      env: "HOOKS__URL",
    });
  });
});

test.each([
  ["spamsvc_api_key", "SPAMSVC_API_KEY"],
  ["a-b c.d", "A_B_C_D"],
  ["forgectl_token", "SETTING_FORGECTL_TOKEN"],
  ["ci_job_token", "SETTING_CI_JOB_TOKEN"],
])("the variable of %s is %s", (name, env) => {
  expect(environmentReference(name)).toEqual({ env });
});

test.each([
  [null, true],
  [undefined, true],
  ["", true],
  ["********", false],
  [0, false],
  [false, false],
  [[], false],
  ["a", false],
])("%j is nothing: %s", (value, nothing) => {
  expect(isNothing(value)).toBe(nothing);
});
