import { describe, expect, test } from "vitest";
import { allowlistKind, groupsAllowlistKind, jobTokenScopeKind } from "../../../src/state/kinds/job-token.ts";
import { changeOf } from "../../support/compared.ts";

describe("allowlists", () => {
  test("access is restricted after additions only if it is switched on", () => {
    const change = (on: boolean) => changeOf(jobTokenScopeKind, { inbound_enabled: on }, { inbound_enabled: !on });
    expect([true, false].map((on) => jobTokenScopeKind.restricts?.(change(on)))).toEqual([true, false]);
  });

  test.each([
    ["its ID", { id: 7 }, { id: 7, name: "acme/storefront" }, true],
    ["its ID as the file names it", { id: 7 }, { name: "7" }, true],
    ["its path, in any case", { id: 70, path_with_namespace: "Acme/Storefront" }, { name: "acme/storefront" }, true],
    ["no path", { id: 70, path_with_namespace: null }, { id: 7, name: "acme/storefront" }, false],
    ["another project", { id: 70, path_with_namespace: "acme/docs" }, { id: 7, name: "acme/storefront" }, false],
  ])("a project is on its own list by %s", (_by, live, scope, own) => {
    const at = { at: "project", ...scope } as const;
    expect([allowlistKind.ignores?.(live, at), groupsAllowlistKind.ignores?.(live, at)]).toEqual([own, false]);
  });

  test("the answer to an addition names the entry; the list has a limit, and a command that helps", () => {
    const answer = { source_project_id: 7, target_project_id: 9 };
    expect(allowlistKind.fromAnswer?.(answer)).toEqual({ id: 9 });
    const { entries, mend } = allowlistKind.limit ?? {};
    expect(entries).toBe(200);
    const scope = { at: "project", name: "acme/storefront" } as const;
    expect(mend?.(scope)).toEqual(["job-token", "compact", "-p", "acme/storefront"]);
  });
});
