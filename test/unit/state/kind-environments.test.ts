import { describe, expect, test } from "vitest";
import { environmentsKind as environments } from "../../../src/state/kinds/environments.ts";
import { changeOf } from "../../support/compared.ts";

describe("whether a change of an environment locks out the caller", () => {
  const caller = { id: 4, admin: false };
  const mine = [{ id: 1, user_id: 4 }];
  test.each<[law: string, to: object[], from: object[], locked: boolean]>([
    ["the caller is no longer named, and only users are", [{ user_id: 6 }], mine, true],
    ["no rule is left", [], mine, true],
    ["the caller stays", [{ user_id: 6 }, { user_id: 4 }], mine, false],
    ["a group or a level may contain the caller", [{ user_id: 6 }, { access_level: 40 }], mine, false],
    ["the caller was not named before", [{ user_id: 6 }], [{ id: 1, user_id: 9 }], false],
  ])("%s", (_law, to, from, locked) => {
    const change = changeOf(
      environments,
      { name: "p", deploy_access_levels: to },
      { name: "p", deploy_access_levels: from },
      { caller },
    );
    expect(change.lockout).toEqual(locked ? { reason: "the caller would lose access", certain: true } : undefined);
  });

  test("a change of the approvals alone does not", () => {
    const to = { name: "p", deploy_access_levels: mine, approval_rules: [{ user_id: 6 }] };
    expect(changeOf(environments, to, { name: "p", deploy_access_levels: mine }, { caller }).lockout).toBeUndefined();
  });
});
