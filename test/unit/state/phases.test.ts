import { describe, expect, test } from "vitest";
import { phases } from "../../../src/state/apply/phases.ts";
import type { Action, Change, Kind, Values } from "../../../src/state/kind.ts";
import { environmentsKind } from "../../../src/state/kinds/environments.ts";
import { hooksKind } from "../../../src/state/kinds/hooks.ts";
import { allowlistKind, jobTokenScopeKind } from "../../../src/state/kinds/job-token.ts";
import { settingsKind } from "../../../src/state/kinds/settings.ts";
import { changeOf } from "../../support/compared.ts";

const settings = (to: Values, from: Values) => changeOf(settingsKind, to, from);
const safe = settings({ signup_enabled: false }, { signup_enabled: true });

function change(kind: Kind, action: Action, scope: string, more: Partial<Change> = {}): Change {
  const desired =
    action === "delete" ? undefined : { values: { inbound_enabled: true }, origin: { file: "", line: 1 } };
  return { ...safe, kind, action, scope: { at: kind.at, name: scope }, key: "x", write: ["url"], desired, ...more };
}

/** Each phase as its scopes, each as `scope#kind action`; `?` marks what is only made if all others succeeded. */
function shown(changes: readonly Change[]): string[][] {
  return phases(changes).map(({ scopes, onlyIfOthersSucceeded }) =>
    scopes.map((list) => {
      const texts = list.map(({ scope, kind, action }) => `${scope.name}#${kind.name} ${action}`);
      return `${onlyIfOthersSucceeded ? "? " : ""}${texts.join(", ")}`;
    }),
  );
}

const locking = { lockout: { reason: "x", certain: false } };

describe("the order of the changes of a plan", () => {
  test("settings, groups, projects, and then what can lock users out, settings last", () => {
    const changes = [
      change(environmentsKind, "update", "acme/api", locking),
      change(hooksKind, "create", "acme"),
      change(allowlistKind, "create", "acme/api"),
      settings({ signup_enabled: false, max_login_attempts: 1 }, { signup_enabled: true, max_login_attempts: 5 }),
      change(hooksKind, "create", "labs", locking),
    ];
    expect(shown(changes)).toEqual([
      ["#settings update"],
      ["acme#hooks create"],
      ["acme/api#allowlist create"],
      ["? labs#hooks create"],
      ["? acme/api#protected_environments update"],
      ["? #settings update"],
    ]);
  });

  test("of one scope: add and change, then restrict, then remove; each as planned otherwise", () => {
    const changes = [
      change(allowlistKind, "delete", "acme/api"),
      change(jobTokenScopeKind, "update", "acme/api"),
      change(allowlistKind, "create", "acme/api"),
      change(jobTokenScopeKind, "update", "acme/web", {
        desired: { values: { inbound_enabled: false }, origin: { file: "", line: 1 } },
      }),
      change(allowlistKind, "create", "acme/web"),
      change(environmentsKind, "update", "acme/api"),
    ];
    const [api, web] = [
      "acme/api#allowlist create, acme/api#protected_environments update, acme/api#job_token_scope update, acme/api#allowlist delete",
      "acme/web#job_token_scope update, acme/web#allowlist create",
    ];
    expect(shown(changes)).toEqual([[api, web]]);
  });

  test("what is not written has no place", () => {
    expect(shown([change(hooksKind, "extra", "acme"), change(hooksKind, "unreadable", "acme")])).toEqual([]);
    expect(shown([])).toEqual([]);
  });
});

describe("settings that can lock users out", () => {
  const risky = settings(
    { signup_enabled: false, max_login_attempts: 1, enforce_terms: true },
    { signup_enabled: true, max_login_attempts: 5, enforce_terms: false, terms: "Be kind." },
  );
  const other = change(hooksKind, "create", "acme");
  const parts = (changes: readonly Change[]) =>
    phases(changes)
      .flatMap(({ scopes }) => scopes.flat())
      .filter(({ kind }) => kind === settingsKind);

  test("are one request, if nothing else is planned", () => {
    expect(phases([risky])).toEqual([{ scopes: [[risky]], onlyIfOthersSucceeded: false }]);
  });

  test("are apart from the others if something is, even if it could not be read", () => {
    for (const more of [other, change(hooksKind, "unreadable", "acme")]) {
      const [first, last] = parts([risky, more]);
      expect(first).toMatchObject({
        write: ["signup_enabled"],
        desired: { values: { signup_enabled: false } },
        lockout: undefined,
      });
      expect(Object.keys(first?.desired?.values ?? {})).toEqual(["signup_enabled"]);
      // What enforcing the terms requires is sent along with it.
      expect(last?.write).toEqual(["max_login_attempts", "enforce_terms", "terms"]);
      // The last one is checked by all that is declared.
      expect(last?.desired?.values).toEqual({ signup_enabled: false, max_login_attempts: 1, enforce_terms: true });
      expect(last?.lockout).toBeDefined();
      expect([first, last].map((each) => each?.fields.map(({ path }) => path))).toEqual([
        ["signup_enabled"],
        last?.write,
      ]);
    }
  });

  test("without any there is one part, and with nothing else none that is safe", () => {
    expect(parts([safe, other]).map(({ write }) => write)).toEqual([["signup_enabled"]]);
    const alone = settings({ max_login_attempts: 1 }, { max_login_attempts: 5 });
    expect(shown([alone, other])).toEqual([["acme#hooks create"], ["? #settings update"]]);
  });
});
