import { describe, expect, test } from "vitest";
import { noSubjects, removedRule, unmetRules } from "../../../src/api/rules.ts";

const developers = { id: 2, access_level: 30, user_id: null, group_id: null };
const ana = { id: 3, user_id: 4, access_level: 40, group_id: null };

describe("a change of rules is met", () => {
  test.each<[string, object[], unknown]>([
    ["by the rule of that ID", [{ id: 3, user_id: 4 }], [developers, ana]],
    ["by a user's rule with a level too", [{ id: 3, ...noSubjects, user_id: 4 }], [ana]],
    ["by a rule that is gone", [{ id: 9, _destroy: true }], [developers]],
    ["by no list at all, of one that is gone", [{ id: 9, _destroy: true }], undefined],
    ["by a new rule of any ID", [{ access_level: 30 }], [developers]],
    ["by two new rules", [{ access_level: 30 }, { user_id: 4 }], [ana, developers]],
    ["by the default of what is left out", [{ user_id: 4, group_inheritance_type: 0, required_approvals: 1 }], [ana]],
    ["by null for what is left out", [{ id: 3, user_id: 4, expires_at: null, note: undefined }], [ana]],
    ["by the ID of a user who was named", [{ username: "ana" }], [ana]],
    ["by the name of a user who was named", [{ username: "ana" }], [{ id: 3, username: "ana" }]],
    ["by a change besides a new one", [{ access_level: 30 }, { id: 3, user_id: 4 }], [ana, developers]],
    ["by nothing, if nothing was asked", [], [developers]],
  ])("%s", (_, asked, held) => expect(unmetRules(asked, held)).toEqual([]));
});

describe("a change of rules is not met", () => {
  const level = { access_level: 30 };
  test.each<[string, object[], unknown, { asked: object; held: object | undefined }[]]>([
    ["without the rule", [{ id: 9, ...level }], [developers], [{ asked: { id: 9, ...level }, held: undefined }]],
    [
      "by another level",
      [{ id: 3, access_level: 40 }],
      [{ id: 3, access_level: 30 }],
      [{ asked: { id: 3, access_level: 40 }, held: { id: 3, access_level: 30 } }],
    ],
    [
      "by a rule that is still there",
      [{ id: 3, _destroy: true }],
      [ana],
      [{ asked: { id: 3, _destroy: true }, held: ana }],
    ],
    [
      "by a user's level for a level",
      [{ access_level: 40 }],
      [ana],
      [{ asked: { access_level: 40 }, held: undefined }],
    ],
    ["by a group's level for a level", [level], [{ ...developers, group_id: 9 }], [{ asked: level, held: undefined }]],
    [
      "by a key's level for a level",
      [level],
      [{ ...developers, deploy_key_id: 9 }],
      [{ asked: level, held: undefined }],
    ],
    ["by one rule for two", [level, level], [developers], [{ asked: level, held: undefined }]],
    ["by a rule that was changed", [level, { id: 2, ...level }], [developers], [{ asked: level, held: undefined }]],
    [
      "by a rule that is inherited",
      [level],
      [{ ...developers, group_inheritance_type: 1 }],
      [{ asked: level, held: undefined }],
    ],
    [
      "by a name that is another's",
      [{ username: "ana" }],
      [{ id: 1, username: "bo" }],
      [{ asked: { username: "ana" }, held: undefined }],
    ],
    ["by a level for a name", [{ username: "ana" }], [developers], [{ asked: { username: "ana" }, held: undefined }]],
    [
      "by another number of approvals",
      [{ ...level, required_approvals: 2 }],
      [developers],
      [{ asked: { ...level, required_approvals: 2 }, held: undefined }],
    ],
    ["by no list", [level], null, [{ asked: level, held: undefined }]],
    ["by a list of other things", [level], [30, null], [{ asked: level, held: undefined }]],
  ])("%s", (_, asked, held, unmet) => expect(unmetRules(asked, held)).toEqual(unmet));
});

test("the first rule that fits is used up, not the others", () => {
  const held = [developers, { ...developers, id: 5 }, ana];
  expect(unmetRules([{ access_level: 30 }, { access_level: 30 }, { user_id: 4 }], held)).toEqual([]);
});

test.each([
  [developers, { id: 2, access_level: 30, _destroy: true }],
  [ana, { id: 3, user_id: 4, _destroy: true }],
  [
    { id: 5, group_id: 9, access_level: 40 },
    { id: 5, group_id: 9, _destroy: true },
  ],
  [
    { id: 6, deploy_key_id: 1 },
    { id: 6, _destroy: true },
  ],
])("the removal of %j names its subject: %j", (rule, removal) => expect(removedRule(rule)).toEqual(removal));
