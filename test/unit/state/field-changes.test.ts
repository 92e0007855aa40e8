import { describe, expect, test } from "vitest";
import {
  hiddenBy,
  hideCredentials,
  holdsCredentials,
  isSecret,
  isStorable,
  unrecorded,
  withReferences,
} from "../../../src/state/fields/secrecy.ts";
import type { FieldChange, Reference, Values } from "../../../src/state/kind.ts";
import { hooksKind } from "../../../src/state/kinds/hooks.ts";
import { settingsKind } from "../../../src/state/kinds/settings.ts";
import { changeOf, declared, reference } from "../../support/compared.ts";

const url = "https://a.example/in";
const live = { id: 1, name: "Deploys", url, push_events: true };
const token = reference("TOKEN");

/** Path, from, to, whether it is secret, and its source. */
const text = ({ path, from, to, secret, source }: FieldChange) => [path, from, to, secret, source];

describe("the fields of a change as a plan shows them", () => {
  test.each<[law: string, to: Values, from: Values | undefined, rows: unknown[][]]>([
    [
      "a value before and after",
      { url, name: "Deploys", description: "x" },
      live,
      [["description", null, "x", false, null]],
    ],
    ["a creation has nothing before", { url }, undefined, [["url", null, url, false, null]]],
    [
      "a secret has neither, but its variable",
      { url, token },
      undefined,
      [
        ["url", null, url, false, null],
        ["token", null, null, true, "$TOKEN"],
      ],
    ],
    [
      "a secret that is not sent cannot be compared",
      { name: "Deploys", description: "x", token },
      live,
      [
        ["description", null, "x", false, null],
        ["token", null, null, true, "not comparable"],
      ],
    ],
    [
      "nor can the text of any variable",
      { name: "Deploys", enable_ssl_verification: false, description: token },
      live,
      [
        ["enable_ssl_verification", null, false, false, null],
        ["description", null, null, true, "not comparable"],
      ],
    ],
    [
      "a secret that is sent along says so",
      { name: "Deploys", url: "https://b.example", token },
      live,
      [
        ["url", url, "https://b.example", false, null],
        ["token", null, null, true, "$TOKEN, sent along"],
      ],
    ],
    [
      "of headers only the keys are shown",
      { name: "Deploys", custom_headers: [{ key: "a", value: "v" }] },
      live,
      [["custom_headers", [], ["a"], false, null]],
    ],
    [
      "credentials in an address are hidden",
      { name: "Deploys", url: "https://u:p@b.example" },
      live,
      [["url", url, "https://[redacted]@b.example", false, null]],
    ],
    [
      "headers of a creation too",
      { url, custom_headers: [{ key: "a", value: "v" }] },
      undefined,
      [
        ["url", null, url, false, null],
        ["custom_headers", null, ["a"], false, null],
      ],
    ],
    [
      "a secret in plain text cannot be compared either",
      { name: "Deploys", description: "x", token: "plain" },
      live,
      [
        ["description", null, "x", false, null],
        ["token", null, null, true, "not comparable"],
      ],
    ],
  ])("%s", (_law, to, from, rows) => {
    expect(changeOf(hooksKind, to, from).fields.map(text)).toEqual(rows);
  });

  test("what an enabled setting requires is shown as sent along, from the instance, and without a place", () => {
    const from = { enforce_terms: false, terms: "Be kind." };
    const { fields } = changeOf(settingsKind, { enforce_terms: true }, from);
    expect(fields.map(text)).toEqual([
      ["enforce_terms", false, true, false, null],
      ["terms", "Be kind.", "Be kind.", false, "sent along"],
    ]);
    expect(fields.map(({ file, line }) => [file, line])).toEqual([
      ["state.yaml", 3],
      [null, null],
    ]);
  });

  test("each field has its own place, if that is known; one that is not sent too", () => {
    const origin = { file: "state.yaml", line: 9 };
    const entry = declared({ name: "Deploys", description: "x", token }, { places: { description: origin } });
    const { fields } = changeOf(hooksKind, entry, live);
    expect(fields.map(({ line }) => line)).toEqual([9, 3]);
    expect(fields.map(({ file }) => file)).toEqual(["state.yaml", "state.yaml"]);
  });

  test("a removal has no fields", () => {
    expect(changeOf(hooksKind, undefined, live).fields).toEqual([]);
  });
});

describe("what may be stored of a change", () => {
  const desired = declared({ url, description: token }, { read: { name: reference("name.txt", "file") } });

  test.each<[field: string, value: unknown, storable: boolean]>([
    ["url", url, true],
    ["url", "https://a.example/?private_token=x", false],
    ["token", "x", false],
    ["description", "x", false],
    ["created_at", "2026", false],
    ["name", "x", true],
    ["branch_filter_strategy", "regex", false],
  ])("the field %s with the value %j: %s", (name, value, storable) => {
    expect(isStorable({ kind: hooksKind, desired, hidden: ["branch_filter_strategy"] }, name, value)).toBe(storable);
    expect(isStorable({ kind: hooksKind, desired: undefined }, name, value)).toBe(
      storable || ["description", "branch_filter_strategy"].includes(name),
    );
  });

  test("a journal names the fields that are secret because of what they refer to, once", () => {
    const change = { kind: hooksKind, desired, hidden: ["name", "description"] };
    expect(hiddenBy(change)).toEqual(["name", "description"]);
    expect(hiddenBy({ kind: hooksKind, desired: undefined })).toEqual([]);
    expect(hiddenBy({ kind: hooksKind, desired })).toEqual(["description"]);
  });

  test("a rollback cannot restore secrets, nor addresses with credentials", () => {
    const write = ["url", "description", "name"];
    const change = { kind: hooksKind, desired, write };
    expect(unrecorded({ ...change, live: { values: live } })).toEqual(["description"]);
    expect(unrecorded({ ...change, live: { values: { ...live, url: "https://u:p@a.example" } } })).toEqual([
      "url",
      "description",
    ]);
    expect(unrecorded({ ...change, live: undefined })).toEqual(["description"]);
  });

  test("credentials are found and hidden in addresses at any depth", () => {
    const value = { a: [1, { b: "see https://u:p@a.example/?token=t" }], c: null };
    expect([holdsCredentials(value), holdsCredentials({ a: [url], c: 1 })]).toEqual([true, false]);
    expect(hideCredentials(value)).toEqual({
      a: [1, { b: "see https://[redacted]@a.example/?token=[redacted]" }],
      c: null,
    });
    const plain = { a: url };
    expect(hideCredentials(plain)).toBe(plain);
  });
});

describe("which fields are secret", () => {
  const { values, ...desired } = declared({ url, name: "Deploys", description: token, token: "plain" });
  const of = (read: Record<string, Reference>, name: string) => isSecret(hooksKind, { ...desired, values, read }, name);
  const file = reference("name.txt", "file");

  test.each([
    ["whatever the documents call secret", "token", {}, true],
    ["what a variable gives, read or not", "name", { name: reference("NAME") }, true],
    ["a reference that was not read", "description", {}, true],
    ["not the text that a file gives", "name", { name: file }, false],
    ["not a plain value", "url", {}, false],
  ])("%s", (_what, name, read, secret) => {
    expect(of(read, name)).toBe(secret);
  });

  test("secret values are replaced by their references; the others stay", () => {
    const read = { name: reference("NAME"), url: file };
    expect(withReferences(hooksKind, { ...desired, values, read })).toEqual({ ...values, name: reference("NAME") });
    expect(withReferences(hooksKind, { ...desired, values })).toBe(values);
  });
});
