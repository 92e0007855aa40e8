import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseApproval, parseChange, parseWho, rulesText, whoText } from "../../../src/api/endpoints/who.ts";
import { UsageError } from "../../../src/base/errors.ts";

describe("reading", () => {
  test.each([
    ["user:4", { user_id: 4 }],
    ["group:9+inherited", { group_id: 9, group_inheritance_type: 1 }],
    ["level:developer", { access_level: 30 }],
    ["level:Maintainer", { access_level: 40 }],
    ["level:admin+inherited", { access_level: 60, group_inheritance_type: 1 }],
    ["level:35", { access_level: 35 }],
  ])("%s", (text, who) => {
    expect(parseWho(text, "--allow")).toEqual(who);
    expect(parseApproval(text, "--approval")).toEqual(who);
    expect(parseApproval(`${text}=2`, "--approval")).toEqual({ ...who, required_approvals: 2 });
  });

  test("a change names the rule, and says that inheritance ends if it is not given", () => {
    expect(parseChange("12=group:9", "--set-allow", parseWho)).toEqual({
      id: 12,
      group_id: 9,
      group_inheritance_type: 0,
    });
    expect(parseChange("12=group:9+inherited=3", "--set-approval", parseApproval)).toEqual({
      id: 12,
      group_id: 9,
      group_inheritance_type: 1,
      required_approvals: 3,
    });
  });

  test.each([
    "",
    "4",
    "user:",
    "user:0",
    "user:-1",
    "user:1.5",
    "user:99999999999999999999",
    "User:1",
    "role:1",
    "level:chief",
    "level:constructor",
    "level:4000",
    "user:1+Inherited",
    "+inherited",
    "user:1+inherited+inherited",
    "user:1\n",
  ])("%j is refused", (text) => {
    expect(() => parseWho(text, "--allow")).toThrow(UsageError);
  });

  test.each(["user:1=0", "user:1=", "user:1=two", "user:1=-1", "user:1=1=1", "user:1=99999999999999999999", "=1"])(
    "the approval %j is refused",
    (text) => {
      expect(() => parseApproval(text, "--approval")).toThrow(UsageError);
    },
  );

  test.each(["user:1", "=user:1", "x=user:1", "0=user:1", "1=", "1=user:1=2"])("the change %j is refused", (text) => {
    expect(() => parseChange(text, "--set-allow", parseWho)).toThrow(UsageError);
  });

  test.each([
    [() => parseWho("", "--allow"), "--allow: must be user:<id>"],
    [() => parseWho("user:", "--allow"), "--allow: must be user:<id>"],
    [() => parseWho("user:x", "--allow"), "--allow: the user must be an ID"],
    [() => parseApproval("group:1=0", "--approval"), 'at least 1, not "0" in "group:1=0"'],
    [() => parseChange("user:1", "--set-allow", parseWho), "--set-allow: must be <rule id>=<who>"],
    [() => parseChange("12", "--set-allow", parseWho), "--set-allow: must be <rule id>=<who>"],
    [() => parseChange("0=user:1", "--set-allow", parseWho), "--set-allow: the rule must be an ID"],
  ])("what is refused is named: %#", (parse, problem) => expect(parse).toThrow(problem));

  test("the first ID, rule, and number of approvals are 1", () => {
    expect(parseApproval("user:1=1", "--approval")).toEqual({ user_id: 1, required_approvals: 1 });
    expect(parseChange("1=user:1", "--set-allow", parseWho)).toMatchObject({ id: 1, user_id: 1 });
  });

  test("the nearest level is suggested", () => {
    expect(() => parseWho("level:maintaner", "--allow")).toThrow(
      expect.objectContaining({ details: { hint: "did you mean level:maintainer?" } }),
    );
  });
});

describe("writing", () => {
  const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
  const none = { user_id: null, group_id: null, access_level: null };
  const kind = fc.oneof(
    id.map((user_id) => ({ ...none, user_id })),
    id.map((group_id) => ({ ...none, group_id })),
    fc.integer({ min: 0, max: 100 }).map((access_level) => ({ ...none, access_level })),
  );

  test("the shown form can be typed", () => {
    fc.assert(
      fc.property(kind, fc.constantFrom(0, 1), id, (who, group_inheritance_type, required_approvals) => {
        const rule = { ...who, group_inheritance_type, required_approvals };
        expect({ ...none, group_inheritance_type: 0, ...parseApproval(whoText(rule), "--approval") }).toEqual(rule);
      }),
    );
  });

  test("rules are shown with their ids, a user before the level that belongs to it", () => {
    expect(
      rulesText([
        { id: 1, user_id: 4, group_id: null, access_level: 40, group_inheritance_type: 0 },
        { id: 2, user_id: null, group_id: 9, access_level: null, group_inheritance_type: 1, required_approvals: 2 },
      ]),
    ).toBe("1=user:4, 2=group:9+inherited=2");
    expect(rulesText([])).toBe("");
    expect(rulesText([{ user_id: 4 }, { access_level: 35 }, {}])).toBe("user:4, level:35, level:none");
  });
});
