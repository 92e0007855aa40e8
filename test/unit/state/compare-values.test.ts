import { describe, expect, test } from "vitest";
import type { Kind, Values } from "../../../src/state/kind.ts";
import { environmentsKind } from "../../../src/state/kinds/environments.ts";
import { hooksKind } from "../../../src/state/kinds/hooks.ts";
import { samlLinksKind } from "../../../src/state/kinds/links.ts";
import { settingsKind } from "../../../src/state/kinds/settings.ts";
import { writableValues } from "../../../src/state/live/writable-values.ts";

import { changeOf, compared, reference, words } from "../../support/compared.ts";

const url = "https://deploys.acme.example/in";
const deploys = { id: 1, name: "Deploys", url, push_events: true };
const engineering = { name: "Engineering", access_level: 30 };

describe("values that cannot be compared", () => {
  const token = reference("DEPLOYS_TOKEN");
  const hook = { name: "Deploys", url, token };
  test.each([
    ["auto", undefined],
    ["never", undefined],
    ["always", "update Deploys: token"],
  ] as const)("--secrets %s: a token is sent as %s", (secrets, change) => {
    const [found] = compared(hooksKind, [hook], [deploys], { secrets }).changes.map(words);
    expect(found).toBe(change);
  });

  test("with the URL the token is sent in any case, and what the file lacks is lost", () => {
    expect(words(changeOf(hooksKind, { ...hook, url: "https://new.example" }, deploys))).toBe(
      "update Deploys: url, token",
    );
    const { token: _, ...without } = { ...hook, url: "https://new.example" };
    const live = { ...deploys, custom_headers: [{ key: "X-Key" }] };
    expect(changeOf(hooksKind, without, live).reason).toBe(
      "a new url drops token and custom_headers, which the file does not give",
    );
  });

  test("headers are compared by their keys, and sent with --secrets always", () => {
    const to = { name: "Deploys", url, custom_headers: [{ key: "X-Key", value: "secret" }] };
    const same = { ...deploys, custom_headers: [{ key: "X-Key" }] };
    expect(compared(hooksKind, [to], [same]).equal).toBe(1);
    expect(words(changeOf(hooksKind, to, same, { secrets: "always" }))).toBe("update Deploys: custom_headers");
    expect(words(changeOf(hooksKind, to, { ...deploys, custom_headers: [{ key: "X-Other" }] }))).toBe(
      "update Deploys: custom_headers",
    );
  });

  const protection = "default_branch_protection_defaults";
  test.each([
    ["a whole mask, which another person wrote", "after_sign_up_text", "[redacted]", "Hello", true],
    ["a text with a mask in it", "after_sign_up_text", "Hi ********, hello", "Hi there, hello", true],
    ["an address that is a mask but for its scheme", "home_page_url", "https://********", "https://a.example", true],
    ["an address with a mask in its path", "home_page_url", "https://a.example/********", "https://a.example/b", true],
    ["a masked password", "home_page_url", "https://u:********@a.example", "https://u:pw@a.example", false],
    ["a masked user and password", "home_page_url", "https://[masked]@a.example", "https://u:pw@a.example", false],
    [
      "a masked password of another user",
      "home_page_url",
      "https://v:********@a.example",
      "https://u:pw@a.example",
      true,
    ],
    [
      "a masked password at another host",
      "home_page_url",
      "https://u:********@b.example",
      "https://u:pw@a.example",
      true,
    ],
    [
      "this program's mask, which was stored",
      "home_page_url",
      "https://[redacted]@a.example",
      "https://u:pw@a.example",
      true,
    ],
    ["a masked parameter", "home_page_url", "https://a.example/?token=[hidden]", "https://a.example/?token=t", false],
    ["a mask where the file has no secret", "home_page_url", "https://[masked]@a.example", "https://a.example", true],
    ["a list with a mask in it", "domain_allowlist", ["evil.example", "a********.example"], ["a.example"], true],
    ["another text", "after_sign_up_text", "Hi", "Hello", true],
    ["a masked secret in a hash", protection, { a_token: "[masked]", b: 1 }, { a_token: "t", b: 1 }, false],
    [
      "a masked secret beside a value that differs",
      protection,
      { a_token: "[masked]", b: 1 },
      { a_token: "t", b: 2 },
      true,
    ],
    ["a mask in a hash that is no secret's", protection, { a: "[masked]", b: 1 }, { a: 1, b: 1 }, true],
    ["a hash that is a mask as a whole", protection, "********", { b: 1 }, true],
    ["a masked secret in an object", "moon", { a: { key: "[masked]", b: 1 } }, { a: { key: "k", b: 1 } }, true],
    [
      "a masked secret in an object",
      "moon",
      { a: { api_key: "[masked]", b: 1 } },
      { a: { api_key: "k", b: 1 } },
      false,
    ],
  ])("%s differs: %s", (_what, name, live, to, differs) => {
    const { changes } = compared(settingsKind, [{ [name]: to }], [{ [name]: live }]);
    expect(changes.flatMap(({ write }) => write)).toEqual(differs ? [name] : []);
  });

  test("a saved plan decides whether a masked or secret value is sent, and nothing else", () => {
    const decided = () => true;
    const masked = { home_page_url: "https://u:********@a.example", max_login_attempts: 5 };
    const to = { home_page_url: "https://u:pw@a.example", max_login_attempts: 5 };
    expect(compared(settingsKind, [to], [masked], { decided }).changes.map(words)).toEqual(["update: home_page_url"]);
    expect(compared(hooksKind, [hook], [deploys], { decided }).changes.map(words)).toEqual(["update Deploys: token"]);
    expect(compared(hooksKind, [hook], [deploys], { decided: () => false, secrets: "always" }).equal).toBe(1);
    const isOpen = { decided: () => undefined, secrets: "always" } as const;
    expect(compared(hooksKind, [hook], [deploys], isOpen).changes.map(words)).toEqual(["update Deploys: token"]);
  });

  test("a hash with a secret in it is compared, whatever the plan decided", () => {
    const [to, live] = [{ a_token: "t" }, { a_token: "[masked]", b: 1 }];
    const hash = compared(settingsKind, [{ [protection]: to }], [{ [protection]: live }], { decided: () => true });
    expect(hash.equal).toBe(1);
  });

  test("what a cache may hide is written, unless every possible value is as declared", () => {
    const of = (...others: number[]) => ({ doubts: new Map([["max_login_attempts", others]]) });
    const to = [{ max_login_attempts: 5 }];
    expect(compared(settingsKind, to, [{ max_login_attempts: 5 }], of(5)).equal).toBe(1);
    expect(compared(settingsKind, to, [{ max_login_attempts: 5 }], of(5, 10)).changes.map(words)).toEqual([
      "update: max_login_attempts",
    ]);
  });
});

test("values that were completed when the plan was made are taken as they are", () => {
  const to = [{ name: "Deploys", url, events: ["push"] }];
  expect(words(changeOf(hooksKind, to[0] as Values, undefined))).toMatch(
    /^create Deploys: push_events, subgroup_events|^create/,
  );
  expect(compared(hooksKind, to, [deploys], { settled: true }).changes.map(words)).toEqual(["update Deploys: events"]);
  expect(compared(hooksKind, to, [deploys]).equal).toBe(1);
});

test("a value from a variable that is not read, and a secret in plain text, are not compared", () => {
  const to = { name: "Deploys", url, description: reference("ABOUT"), token: "plain" };
  expect(compared(hooksKind, [to], [deploys]).equal).toBe(1);
  const options = { secrets: "always" } as const;
  expect(words(changeOf(hooksKind, to, deploys, options))).toBe("update Deploys: description, token");
});

test("a secret setting is not shown, and is no setting that does not exist", () => {
  expect(compared(settingsKind, [{ akismet_api_key: reference("KEY") }], [{}])).toEqual({
    changes: [],
    equal: 1,
    uncompared: 1,
  });
});

describe("the values of an earlier object that requests can contain", () => {
  test.each<[law: string, kind: Kind, live: Values, written: Values]>([
    [
      "what the instance sets, and headers, are left out",
      hooksKind,
      { created_at: "2026", custom_headers: [{ key: "a" }], name: "x" },
      { name: "x" },
    ],
    [
      "an empty text is sent as an empty text, and null as one",
      hooksKind,
      { description: null, custom_webhook_template: "" },
      { description: "", custom_webhook_template: "" },
    ],
    [
      "a switch that is null is off",
      hooksKind,
      { push_events: null, enable_ssl_verification: false },
      { push_events: false, enable_ssl_verification: false },
    ],
    ["a key that is empty is left out, so that another one identifies it", hooksKind, { name: null, url }, { url }],
    [
      "what distinguishes links is left out if it is empty",
      samlLinksKind,
      { ...engineering, provider: null },
      engineering,
    ],
    [
      "no custom role is a value of its own",
      samlLinksKind,
      { ...engineering, member_role_id: null },
      { ...engineering, member_role_id: null },
    ],
    ["one of fixed words has no empty text", hooksKind, { branch_filter_strategy: null }, {}],
    [
      "rules are sent by their subject alone",
      environmentsKind,
      {
        name: "p",
        deploy_access_levels: [
          { id: 3, access_level: 40, user_id: null, access_level_description: "x", group_inheritance_type: 0 },
        ],
      },
      { name: "p", deploy_access_levels: [{ access_level: 40, group_inheritance_type: 0 }] },
    ],
    ["rules that are no list are left as they are", environmentsKind, { approval_rules: "x" }, { approval_rules: "x" }],
    ["settings are written as they were", settingsKind, { id: 1, home_page_url: null }, { id: 1, home_page_url: null }],
  ])("%s", (_law, kind, live, written) => {
    expect(writableValues(kind, live)).toEqual(written);
  });
});
