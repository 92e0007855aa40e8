import { describe, expect, test } from "vitest";
import {
  hiddenBy,
  hideCredentials,
  holdsCredentials,
  isSecret,
  isStorable,
  referenceOf,
  unrecorded,
  withReferences,
} from "../../../src/state/fields/secrecy.ts";
import type { Change, Declared, Reference } from "../../../src/state/kind.ts";
import { findKind } from "../../../src/state/kinds/index.ts";

const origin = { file: "f", line: 1 };
const hooks = findKind("hooks") ?? expect.unreachable();
const address = "https://me:pw@x.example/";
const hidden = "https://[redacted]@x.example/";

function of(reference: "env" | "file", name = "NAME"): Reference {
  return { reference, name, origin, folder: undefined };
}

/** Declared values; those in `read` are texts whose references are known. */
function declare(values: Declared["values"], read?: Record<string, Reference>): Declared {
  return { values, origin, ...(read && { read }) };
}

function change(more: Partial<Change>): Change {
  return { kind: hooks, desired: undefined, live: undefined, write: [], ...more } as Change;
}

describe("a field of a change is secret", () => {
  test.each<[string, Declared | undefined, string, boolean]>([
    ["if the documents call it so", undefined, "token", true],
    ["not otherwise", undefined, "name", false],
    ["not if it is given as a text", declare({ name: "a" }), "name", false],
    ["if a variable gives it", declare({ name: of("env") }), "name", true],
    ["if a variable gave it", declare({ name: "a" }, { name: of("env") }), "name", true],
    ["not if a file gave it", declare({ name: "a" }, { name: of("file") }), "name", false],
    ["if a file gives it that was not read", declare({ name: of("file") }), "name", true],
    ["not if a variable gives another one", declare({ name: "a", url: of("env") }), "name", false],
  ])("%s", (_, desired, name, secret) => {
    expect(isSecret(hooks, desired, name)).toBe(secret);
  });

  test("its reference is the one that it was read from, or still is", () => {
    expect(referenceOf(declare({ name: "a" }, { name: of("env", "A") }), "name")?.name).toBe("A");
    expect(referenceOf(declare({ name: of("file", "b") }), "name")?.name).toBe("b");
    expect(referenceOf(declare({ name: "a" }), "name")).toBeUndefined();
  });

  test("in its place its reference is shown", () => {
    const [secret, open] = [of("env"), of("file")];
    const desired = declare({ name: "a", description: "b", url: "c" }, { name: secret, description: open });
    expect(withReferences(hooks, desired)).toEqual({ name: secret, description: "b", url: "c" });
    const plain = declare({ name: "a" });
    expect(withReferences(hooks, plain)).toBe(plain.values);
  });
});

describe("an address with credentials is hidden wherever it stands", () => {
  test.each<[unknown, unknown]>([
    [address, hidden],
    [
      ["a", { b: [address] }],
      ["a", { b: [hidden] }],
    ],
    [
      { a: 1, b: { c: address, d: null } },
      { a: 1, b: { c: hidden, d: null } },
    ],
    ["https://x.example/?token=abc", "https://x.example/?token=[redacted]"],
  ])("%j", (value, shown) => {
    expect(holdsCredentials(value)).toBe(true);
    expect(hideCredentials(value)).toEqual(shown);
  });

  test.each([["https://x.example"], [["a"]], [{ a: "b" }], [null], [1], [undefined]])("%j has none", (value) => {
    expect(holdsCredentials(value)).toBe(false);
    expect(hideCredentials(value)).toBe(value);
  });
});

describe("a live value is stored", () => {
  test.each<[string, Partial<Change>, string, unknown, boolean]>([
    ["if nothing of it is secret", {}, "name", "a", true],
    ["not if the instance sets it", {}, "created_at", "a", false],
    ["not if it cannot be read back", {}, "token", "a", false],
    ["not if it holds credentials", {}, "url", address, false],
    ["not if a variable gives the new one", { desired: declare({ name: of("env") }) }, "name", "a", false],
    ["not if it was secret in the run that is undone", { hidden: ["name"] }, "name", "a", false],
    ["if another one was", { hidden: ["url"] }, "name", "a", true],
  ])("%s", (_, more, name, live, stored) => {
    expect(isStorable(change(more), name, live)).toBe(stored);
  });
});

test("a journal names the fields that are secret, each once", () => {
  const desired = declare({ name: of("env"), url: "https://x.example", token: of("env") });
  expect(hiddenBy(change({ desired, hidden: ["description", "name"] }))).toEqual(["description", "name", "token"]);
  expect(hiddenBy(change({}))).toEqual([]);
});

test("what is written over a secret cannot be restored", () => {
  const desired = declare({ name: of("env"), url: "https://x.example", description: "b" });
  const live = { values: { url: address, description: "a" } };
  expect(unrecorded(change({ desired, live, write: ["name", "url", "description"] }))).toEqual(["name", "url"]);
  expect(unrecorded(change({ desired, write: ["url"] }))).toEqual([]);
});
