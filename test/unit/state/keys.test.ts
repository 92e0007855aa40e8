import { describe, expect, test } from "vitest";
import { groupPath, isKept } from "../../../src/state/keep.ts";
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
  const names = (kind: string, live: Values) => {
    const seen = new Set<string>();
    const found = isKept((name) => void seen.add(name) as unknown as boolean, kindOf(kind), live);
    expect(found).toBe(false);
    return [...seen].sort();
  };
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
    expect(names(kind, live)).toEqual(expected);
  });

  test("if one pattern fits one of them", () => {
    const live = { id: 4, name: "N", url: "u" };
    const is = (wanted: string) => (name: string) => name === wanted;
    expect(isKept(is("u"), kindOf("hooks"), live)).toBe(true);
    expect(isKept(is("x"), kindOf("hooks"), live)).toBe(false);
    expect(isKept(undefined, kindOf("hooks"), live)).toBe(false);
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
