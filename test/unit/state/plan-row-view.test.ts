import { describe, expect, test } from "vitest";
import type { FieldChange } from "../../../src/state/kind.ts";
import type { PlanRow } from "../../../src/state/plan/plan-row.ts";
import { planPassage } from "../../../src/state/plan/plan-row-view.ts";
import { field, row } from "../../support/plan-rows.ts";

const arrow = { arrow: "→" };

/** The lines of a row with these fields. */
const lines = (kind: string, ...fields: FieldChange[]) =>
  planPassage(row({ kind, fields }), arrow).text?.split("\n") ?? [];

describe("the lines of a row", () => {
  test.each<[law: string, kind: string, change: FieldChange, lines: string[]]>([
    ["a value before and after", "settings", field("max_login_attempts", 10, 5), ["max_login_attempts  10 → 5"]],
    ["null before is left out", "settings", field("max_login_attempts", null, 5), ["max_login_attempts  5"]],
    ["null after is shown", "settings", field("max_login_attempts", 10, null), ["max_login_attempts  10 → null"]],
    [
      "null on both sides, too",
      "settings",
      field("max_login_attempts", null, null),
      ["max_login_attempts  null → null"],
    ],
    ["an empty text", "hooks", field("description", "x", ""), ['description  x → ""']],
    [
      "a level by its name",
      "saml_group_links",
      field("access_level", 30, 40),
      ["access_level  developer → maintainer"],
    ],
    [
      "an unknown level by its number",
      "saml_group_links",
      field("access_level", 30, 33),
      ["access_level  developer → 33"],
    ],
    [
      "a number of another field is no level",
      "settings",
      field("max_login_attempts", 30, 40),
      ["max_login_attempts  30 → 40"],
    ],
    [
      "an object as JSON",
      "settings",
      field("sign_in_restrictions", { a: 1 }, { a: 2 }),
      ['sign_in_restrictions  {"a":1} → {"a":2}'],
    ],
    [
      "a list that is no set as JSON",
      "hooks",
      field("custom_headers", ["a"], ["b"]),
      ['custom_headers  ["a"] → ["b"]'],
    ],
    [
      "an object without a text form beside a text of several lines",
      "settings",
      field("motto", { toString: 1 }, "a\nb"),
      ['motto  - {"toString":1}', "       + a", "       + b"],
    ],
    ["the fields of an unknown kind", "moon", field("phase", true, false), ["phase  true → false"]],
    [
      "what is sent along has one value",
      "settings",
      field("terms", "x", "x", { source: "sent along" }),
      ["terms  x (sent along)"],
    ],
    [
      "the source of a value",
      "settings",
      field("terms", "x", "y", { source: "file terms.md" }),
      ["terms  x → y (file terms.md)"],
    ],
    [
      "of a set only what goes and what comes",
      "settings",
      field("domain_allowlist", ["a", "B"], ["b", "c"]),
      ["domain_allowlist  - a", "                  + c"],
    ],
    [
      "of words",
      "settings",
      field("restricted_visibility_levels", null, ["public"]),
      ["restricted_visibility_levels  + public"],
    ],
    ["of addresses", "settings", field("globally_allowed_ips", "::1, ::2", "::2"), ["globally_allowed_ips  - ::1"]],
    [
      "a set that seems the same, as values",
      "settings",
      field("domain_allowlist", ["a"], ["A"]),
      ['domain_allowlist  ["a"] → ["A"]'],
    ],
    [
      "rules by their subjects",
      "protected_environments",
      field(
        "deploy_access_levels",
        [
          { id: 11, user_id: 9 },
          { id: 12, access_level: 40 },
        ],
        [{ access_level: 40 }, { group_id: 4 }],
      ),
      ["deploy_access_levels  - user:9 (rule 11)", "                      + group:4"],
    ],
    [
      "a user by name, and a level by its",
      "protected_environments",
      field("deploy_access_levels", [], [{ username: "ada" }, { access_level: 30 }]),
      ["deploy_access_levels  + username:ada", "                      + level:developer"],
    ],
    [
      "a changed rule goes and comes",
      "protected_environments",
      field("approval_rules", [{ id: 1, access_level: 40 }], [{ access_level: 40, required_approvals: 2 }]),
      ["approval_rules  - level:maintainer (rule 1)", "                + level:maintainer=2"],
    ],
    [
      "no rules in place of rules",
      "protected_environments",
      field("approval_rules", "x", []),
      ["approval_rules  x → []"],
    ],
    [
      "of a long text the lines that differ",
      "settings",
      field("terms", "a\nb\nc\n", "a\nx\ny\nc\n"),
      ["terms  - b", "       + x", "       + y"],
    ],
    ["lines that are added at the end", "settings", field("terms", "a\n", "a\na\nb\n"), ["terms  + a", "       + b"]],
    [
      "the same lines around them",
      "settings",
      field("terms", "a\nb\nc\nd", "a\nx\nc\nd"),
      ["terms  - b", "       + x"],
    ],
    ["a repeated line that is added", "settings", field("terms", "x\na\nb", "x\na\na\nb"), ["terms  + a"]],
    ["a repeated line that is removed", "settings", field("terms", "x\na\na\nb", "x\na\nb"), ["terms  - a"]],
    ["the first line alone", "settings", field("terms", "a\nb\nc", "x\nb\nc"), ["terms  - a", "       + x"]],
    [
      "a long text that is sent along",
      "settings",
      field("terms", "a\nb", "a\nb", { source: "sent along" }),
      ["terms  unchanged (sent along)"],
    ],
    ["lines that are removed at the beginning", "settings", field("terms", "a\na\nb", "a\nb"), ["terms  - a"]],
    ["a long text in place of none", "settings", field("terms", null, "a\nb"), ["terms  + a", "       + b"]],
    ["none in place of a long text", "settings", field("terms", "a\nb", null), ["terms  - a", "       - b"]],
    ["a text with one line is none", "settings", field("terms", "a\n", "b\n\n"), ["terms  a", " → b", "", ""]],
    [
      "a secret by its variable",
      "hooks",
      field("token", null, null, { secret: true, source: "$TOKEN" }),
      ["token  (secret, $TOKEN) sent"],
    ],
    [
      "which may be sent along",
      "hooks",
      field("token", null, null, { secret: true, source: "$TOKEN, sent along" }),
      ["token  (secret, $TOKEN) sent along"],
    ],
    ["in plain text", "hooks", field("token", null, null, { secret: true }), ["token  (secret) sent"]],
    [
      "and sent along",
      "hooks",
      field("token", null, null, { secret: true, source: "sent along" }),
      ["token  (secret) sent along"],
    ],
    [
      "one that cannot be compared",
      "hooks",
      field("token", null, null, { secret: true, source: "not comparable" }),
      ["token  ? not comparable"],
    ],
  ])("%s", (_law, kind, change, expected) => {
    expect(lines(kind, change)).toEqual(expected);
  });

  test("names have one width", () => {
    expect(lines("settings", field("a", 1, 2), field("long", 1, 2))).toEqual(["a     1 → 2", "long  1 → 2"]);
  });

  test("notes follow: what can lock users out with a sign, then the reason", () => {
    const fields = [field("a", 1, 2)];
    const shown = (more: Partial<PlanRow>) => planPassage(row({ ...more }), arrow).text;
    expect(shown({ fields, lockout: "it can", reason: "why" })).toBe("a  1 → 2\n! it can\nwhy");
    expect(shown({ lockout: "it can" })).toBe("! it can");
    expect(shown({ reason: "why" })).toBe("why");
    expect(shown({})).toBe("");
  });

  test("a terminal without the arrow has another sign", () => {
    expect(planPassage(row({ fields: [field("a", 1, 2)] }), { arrow: "->" }).text).toBe("a  1 -> 2");
  });
});

describe("fields of one record from several patterns have their places", () => {
  const fields = [field("a", 1, 2), field("b", 1, 2, { line: 9 }), field("c", 1, 2, { file: "other.yaml" })];
  const of = (more: Partial<PlanRow>) =>
    planPassage(row({ scope: "acme/x", fields, ...more }), arrow).text?.split("\n") ?? [];

  test("those of another place than the row's", () => {
    expect(of({})).toEqual(["a  1 → 2", "b  1 → 2  state.yaml:9", "c  1 → 2  other.yaml:3"]);
  });

  test.each<[why: string, more: Partial<PlanRow>]>([
    ["an entry of a list is from one place", { key: "Deploys" }],
    ["the settings are of one file", { scope: null }],
    ["one place is no several", { fields: fields.slice(1, 2) }],
    ["what is in no file has none", { fields: [field("a", 1, 2), field("b", 1, 2, { file: null, line: null })] }],
  ])("%s", (_why, more) => {
    expect(of(more).filter((line) => line.includes("yaml"))).toEqual([]);
  });

  test("a field of several lines has its place behind the first", () => {
    const long = field("terms", "a\nb", "c\nd", { line: 9 });
    expect(of({ fields: [fields[0] as FieldChange, long] }).slice(1, 3)).toEqual([
      "terms  - a  state.yaml:9",
      "       - b",
    ]);
  });
});
