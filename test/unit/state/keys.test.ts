import { describe, expect, test } from "vitest";
import { groupPath, keeperOf } from "../../../src/state/keep.ts";
import {
  addressOf,
  declaredKey,
  keyOf,
  referenceText,
  sharedKeys,
  shownKey,
  tiedKey,
} from "../../../src/state/keys.ts";
import type { Values } from "../../../src/state/kind.ts";
import { findKind } from "../../../src/state/kinds/index.ts";

const kindOf = (name: string) => findKind(name) ?? expect.unreachable();
const reference = (word: "env" | "file", name: string) => ({
  reference: word,
  name,
  origin: { file: "f", line: 1 },
  folder: undefined,
});

describe("an entry is identified", () => {
  test.each<[string, Values, string, string, string]>([
    ["hooks", { name: "N", url: "u" }, "N", "N", "N"],
    ["hooks", { name: "", url: "u" }, "u", "u", "u"],
    ["hooks", { id: 4, name: "N" }, "4", "N", "N"],
    ["hooks", { id: "4", name: "N" }, "N", "N", "N"],
    ["hooks", { name: reference("env", "NAME") }, "$NAME", "$NAME", "$NAME"],
    ["hooks", { name: reference("file", "a/b") }, "file a/b", "file a/b", "file a/b"],
    ["hooks", {}, "", "", ""],
    ["allowlist", { id: 4 }, "4", "4", "4"],
    ["allowlist", { path: "acme/x" }, "acme/x", "acme/x", "acme/x"],
    ["ldap_group_links", { provider: "p", cn: "a" }, "p/a", "p/a", "p/a"],
    ["ldap_group_links", { provider: "p", cn: null, filter: "f" }, "p/f", "p/f", "p/f"],
    ["saml_group_links", { name: "A", provider: "p" }, "A", "A", "A/p"],
    ["saml_group_links", { name: "A", provider: "" }, "A", "A", "A"],
    ["protected_environments", { id: 4, name: "a" }, "a", "a", "a"],
  ])("of %s %j", (kind, values, declared, key, tied) => {
    const of = kindOf(kind);
    expect([declaredKey(of, values), keyOf(of, values), tiedKey(of, values)]).toEqual([declared, key, tied]);
  });

  test("its address names its scope and its kind", () => {
    expect(addressOf({ at: "group", name: "acme" }, kindOf("hooks"), "Deploys")).toBe("acme#hooks/Deploys");
    expect(addressOf({ at: "instance", name: "" }, kindOf("settings"), "")).toBe("#settings");
    expect(referenceText(reference("env", "A"))).toBe("$A");
  });

  test("what distinguishes it is shown where others have its key, and credentials never are", () => {
    const links = kindOf("saml_group_links");
    const all = [
      { name: "A", provider: "p" },
      { name: "A", provider: "q" },
      { name: "B", provider: "p" },
    ];
    const shared = sharedKeys(links, all);
    expect(all.map((values) => shownKey(links, values, shared))).toEqual(["A/p", "A/q", "B"]);
    expect([...sharedKeys(links, [{ name: "A" }, { name: "A" }])]).toEqual([]);
    expect([...sharedKeys(kindOf("hooks"), [{ name: "A" }, { name: "A" }])]).toEqual([]);
    expect(shownKey(kindOf("hooks"), { url: "https://me:pw@x.example" }, new Set())).toBe(
      "https://[redacted]@x.example",
    );
  });
});

describe("an entry is kept by any of its names", () => {
  const isKept = (kind: string, live: Values, ...patterns: string[]) => keeperOf(kindOf(kind), patterns)(live);
  test.each<[string, Values, string[]]>([
    ["hooks", { id: 4, name: "N", url: "u", description: "d" }, ["4", "N", "u"]],
    ["hooks", { id: 4, name: null, url: "u" }, ["4", "u"]],
    ["saml_group_links", { name: "A", provider: "p" }, ["A", "A/p", "p"]],
    ["ldap_group_links", { provider: "p", cn: "a", filter: "" }, ["a", "p", "p/a"]],
    ["allowlist", { id: 3, path_with_namespace: "acme/ci", web_url: "https://a.example/acme/ci" }, ["3", "acme/ci"]],
    [
      "groups_allowlist",
      { id: 3, full_path: "acme/m", web_url: "https://a.example/groups/acme/n" },
      ["3", "acme/m", "acme/n"],
    ],
  ])("of %s %j", (kind, live, expected) => {
    for (const name of expected) expect([name, isKept(kind, live, name)]).toEqual([name, true]);
    const others = Object.values(live).filter((each) => !expected.includes(String(each)));
    expect(isKept(kind, live, "", "null", ...others.map(String))).toBe(false);
  });

  test("if one pattern fits one of them", () => {
    const live = { id: 4, name: "N", url: "u" };
    expect(isKept("hooks", live, "x", "u*")).toBe(true);
    expect(isKept("hooks", live, "x")).toBe(false);
    expect(isKept("hooks", live)).toBe(false);
  });

  test.each<[string, Values, boolean]>([
    ["allowlist", { id: 3, path_with_namespace: "acme/Ci" }, true],
    ["groups_allowlist", { id: 3, full_path: "Acme/ci" }, true],
    ["groups_allowlist", { id: 3, web_url: "https://a.example/groups/acme/CI" }, true],
    ["saml_group_links", { name: "acme/Ci" }, false],
    ["ldap_group_links", { provider: "acme", cn: "Ci" }, false],
    ["hooks", { id: 4, name: "acme/Ci", url: "u" }, false],
    ["protected_branches", { name: "acme/Ci" }, false],
    ["protected_environments", { name: "acme/Ci" }, false],
  ])("of %s %j, without case: %s", (kind, live, expected) => {
    for (const pattern of ["ACME/CI", "ACME/c*", "*/cI"]) expect(isKept(kind, live, pattern)).toBe(expected);
  });

  test.each([
    ["https://a.example/groups/acme/m", "acme/m"],
    ["https://a.example/x/groups/acme", "acme"],
    ["https://a.example/acme", undefined],
    ["https://a.example/groups/acme?x=1", undefined],
    [4, undefined],
  ])("the group of the address %s is %s", (address, path) => {
    expect(groupPath(address)).toBe(path);
  });
});
