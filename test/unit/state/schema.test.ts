import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { fieldSchema, objectSchema } from "../../../src/state/fields/field-schema.ts";
import { sectionSchema, stateSchema } from "../../../src/state/files/schema.ts";
import { findKind } from "../../../src/state/kinds/index.ts";
import { fieldOf } from "../../support/state-text.ts";

const reference = { $ref: "#/definitions/reference" };

describe("the schema of a field", () => {
  test.each([
    [fieldOf("boolean"), { type: "boolean" }],
    [fieldOf("integer"), { type: "integer" }],
    [fieldOf("integer", { min: 0, max: 9 }), { type: "integer", minimum: 0, maximum: 9 }],
    [fieldOf("number", { min: 1 }), { type: "number", minimum: 1 }],
    [fieldOf("number", { max: 1 }), { type: "number", maximum: 1 }],
    [fieldOf("id"), { type: "integer", minimum: 1 }],
    [fieldOf("level", { levels: { guest: 10 } }), { anyOf: [{ enum: ["guest"] }, { type: "integer", minimum: 0 }] }],
    [fieldOf("level"), { anyOf: [{ enum: [] }, { type: "integer", minimum: 0 }] }],
    [fieldOf("text"), { anyOf: [{ type: ["string", "null"] }, reference] }],
    [fieldOf("text", { writeOnly: true }), { anyOf: [{ type: "string" }, reference] }],
    [fieldOf("addresses"), { anyOf: [{ type: ["string", "null"] }, reference] }],
    [fieldOf("text", { values: ["a"] }), { anyOf: [{ enum: ["a", "", null] }, reference] }],
    [fieldOf("names"), { type: "array" }],
    [fieldOf("domains", { values: ["a"] }), { type: "array", items: { enum: ["a"] } }],
    [
      fieldOf("names", { suggested: ["a"] }),
      { type: "array", items: { anyOf: [{ enum: ["a"] }, { type: "string" }] } },
    ],
    [fieldOf("list"), { type: "array" }],
    [fieldOf("hash"), { type: "object" }],
    [fieldOf("json"), {}],
    [fieldOf("keys"), { type: "array", items: { type: "object", additionalProperties: false, properties: {} } }],
    [fieldOf("boolean", { description: "Is on" }), { type: "boolean", description: "Is on" }],
    [fieldOf("boolean", { readOnly: true }), { type: "boolean", readOnly: true }],
  ])("%j", (field, schema) => {
    expect(fieldSchema(field)).toEqual(schema);
  });

  test("of rules has the fields of an item, and what an item must have", () => {
    const item = { key: fieldOf("id", { required: true }), on: fieldOf("boolean") };
    const properties = { key: { type: "integer", minimum: 1 }, on: { type: "boolean" } };
    const items = { type: "object", additionalProperties: false, properties, required: ["key"] };
    expect(fieldSchema(fieldOf("rules", { item }))).toEqual({ type: "array", items });
    expect(objectSchema(item, { more: {} })).toEqual({ ...items, properties: { ...properties, more: {} } });
  });
});

const isValid = new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false, formats: { uri: true } }).compile(
  stateSchema(),
);
const project = (sections: object, name = "acme/x") => ({ forgectl: 1, projects: { [name]: sections } });
const group = (sections: object, name = "acme") => ({ forgectl: 1, groups: { [name]: sections } });
const link = { name: "A", access_level: "guest" };

describe("an editor accepts", () => {
  test.each<[string, object]>([
    ["a file with nothing in it", { forgectl: 1 }],
    ["an instance", { forgectl: 1, instance: "https://a.example" }],
    ["settings that the documents do not name", { forgectl: 1, settings: { signup_enabled: true, brand_new: 1 } }],
    ["what is kept", { forgectl: 1, keep: { hooks: ["a-*", 4], allowlist: [] } }],
    ["a list", group({ saml_group_links: [link] })],
    ["an empty list", group({ hooks: [] })],
    ["a list that inherits", group({ saml_group_links: ["inherit", link, { name: "B", absent: true }] })],
    [
      "an absent link of a provider",
      group({ saml_group_links: ["inherit", { name: "B", provider: "p", absent: true }] }),
    ],
    ["a secret", group({ hooks: [{ url: { env: "URL" }, token: { file: "token" } }] })],
    ["what is unmanaged", group({ hooks: "unmanaged" })],
    ["a record that is unmanaged", project({ error_tracking: "unmanaged", job_token_scope: "unmanaged" })],
    ["a list within a section that is unmanaged", project({ job_token_scope: { allowlist: "unmanaged" } })],
    ["a bare value", project({ container_registry_access_level: "private" })],
    ["a bare value that is unmanaged", project({ container_registry_access_level: "unmanaged" })],
    [
      "projects by ID and path",
      project({ job_token_scope: { allowlist: ["inherit", 3, "a/b", { id: 3, absent: true }] } }),
    ],
    [
      "less of a record than it must have, since a pattern may have it",
      project({ error_tracking: { integrated: true } }),
    ],
    ["a pattern with exceptions", project({ except: ["acme/x"], hooks: [] }, "acme/**")],
  ])("%s", (_, file) => {
    expect([isValid(file), isValid.errors]).toEqual([true, null]);
  });
});

describe("an editor refuses", () => {
  test.each<[string, object]>([
    ["a file without a version", {}],
    ["another version", { forgectl: 2 }],
    ["another key", { forgectl: 1, variables: {} }],
    ["an instance that is no text", { forgectl: 1, instance: 1 }],
    ["to keep what has no entries", { forgectl: 1, keep: { settings: [] } }],
    ["to keep what is no list", { forgectl: 1, keep: { hooks: "a" } }],
    ["to keep a list", { forgectl: 1, keep: { hooks: [[]] } }],
    ["groups that are a list", { forgectl: 1, groups: [] }],
    ["a scope that is a text", { forgectl: 1, groups: { acme: "unmanaged" } }],
    ["a section that does not exist", group({ variables: [] })],
    ["a section of a project in a group", group({ error_tracking: { active: true } })],
    ["a list within a section by itself", project({ allowlist: [] })],
    ["exceptions of a scope", project({ except: ["acme/x"] })],
    ["exceptions that are a text", project({ except: "acme/x" }, "acme/**")],
    ["an exception that is an ID", project({ except: [7] }, "acme/**")],
    ["a list that is null", group({ hooks: null })],
    ["another word for unmanaged", group({ hooks: "ignored" })],
    ["another word for inherit", group({ saml_group_links: ["inherited"] })],
    ["an entry without what it must have", group({ saml_group_links: [{ name: "A" }] })],
    ["another field", group({ saml_group_links: [{ ...link, level: 1 }] })],
    ["an absent entry with more than its key", group({ saml_group_links: [{ ...link, absent: true }] })],
    ["an entry that is not absent", group({ saml_group_links: [{ name: "A", absent: false }] })],
    ["a field of another type", project({ error_tracking: { active: "yes" } })],
    ["another value", project({ container_registry_access_level: "open" })],
    ["a record that is a list", project({ error_tracking: [] })],
    ["another field of a record", project({ error_tracking: { on: true } })],
    ["a project that is true", project({ job_token_scope: { allowlist: [true] } })],
    ["a secret without a name", group({ hooks: [{ url: "https://x.example", token: { env: "" } }] })],
    ["a secret of two sources", group({ hooks: [{ url: "https://x.example", token: { env: "A", file: "b" } }] })],
    ["a secret of another source", group({ hooks: [{ url: "https://x.example", token: { vault: "a" } }] })],
  ])("%s", (_, file) => {
    expect(isValid(file)).toBe(false);
  });
});

describe("what editors show", () => {
  type Schema = Record<string, never>;
  const properties = stateSchema().properties as Record<string, Schema>;

  test("every part of a file has a description", () => {
    const { forgectl, instance, groups, projects, keep } = properties;
    for (const each of [forgectl, instance, groups, projects, keep]) expect(each?.description).toMatch(/^[A-Z]/);
    expect(groups?.description).toContain("any groups below");
    const inner = (groups as { additionalProperties?: { properties: Record<string, Schema> } }).additionalProperties;
    expect(inner?.properties.hooks?.description).toBe(findKind("hooks")?.summary);
    const own = (projects as { additionalProperties?: { properties: Record<string, Schema> } }).additionalProperties;
    expect(own?.properties.hooks?.description).toBe("Webhooks of a project (not in the API documents)");
    for (const each of Object.values(own?.properties ?? {})) expect(each.description).toMatch(/^[A-Z]/);
    const wide = (projects as { patternProperties?: Record<string, { properties: Record<string, Schema> }> })
      .patternProperties?.["\\*"]?.properties;
    expect(Object.keys(wide ?? {})).toEqual(["except", ...Object.keys(own?.properties ?? {})]);
    expect(wide?.except?.description).toMatch(/^Paths/);
  });

  test("an allowlist says what its entries are", () => {
    const schema = sectionSchema(findKind("allowlist") ?? expect.unreachable(), "Allowlist");
    expect(schema).toMatchObject({
      title: "Allowlist",
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "array",
    });
    expect(JSON.stringify(schema.items)).toContain("ID or path of a project");
    expect(JSON.stringify(schema.items)).toContain("Only first");
    expect(JSON.stringify(schema.items)).toContain("Leaves an inherited entry out");
    expect(schema.definitions).toEqual(stateSchema().definitions);
  });

  test("a file of one kind is its section", () => {
    const kind = findKind("protected_environments") ?? expect.unreachable();
    const validates = new Ajv({ strict: false }).compile(sectionSchema(kind, "Environments"));
    expect([validates([{ name: "production" }]), validates({ name: "production" })]).toEqual([true, false]);
  });

  test("the schema has its draft and a title", () => {
    expect(stateSchema()).toMatchObject({
      $schema: "http://json-schema.org/draft-07/schema#",
      title: "State file of forgectl",
    });
  });
});
