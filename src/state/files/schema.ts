import { ownValue } from "../../base/own-value.ts";
import { fieldSchema, objectSchema, type Schema } from "../fields/field-schema.ts";
import { sectionName } from "../keys.ts";
import type { Kind } from "../kind.ts";
import { kinds, kindsAt } from "../kinds/index.ts";
import { ownForms } from "../kinds/own-forms.ts";

/** The JSON Schema (draft-07) of a state file, generated from the kinds' fields. */
export function stateSchema(): Schema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "State file of forgectl",
    type: "object",
    additionalProperties: false,
    required: ["forgectl"],
    properties: {
      forgectl: { const: 1, description: "Version of the state file format" },
      instance: { type: "string", format: "uri", description: "The instance that the file is for; others are refused" },
      ...Object.fromEntries(kindsAt("instance").map((kind) => [kind.name, kindSchema(kind)])),
      groups: scopesSchema("group"),
      projects: scopesSchema("project"),
      keep: {
        type: "object",
        description: "Keys that are never pruned; * matches anything but a slash, ** anything",
        additionalProperties: false,
        properties: Object.fromEntries(
          kinds
            .filter(({ form }) => form === "list")
            .map(({ name }) => [name, { type: "array", items: { type: ["string", "integer"] } }]),
        ),
      },
    },
    definitions,
  };
}

/** The schema of a file that contains only the section of one kind. */
export function sectionSchema(kind: Kind, title: string): Schema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title,
    ...kindSchema(kind),
    definitions,
  };
}

const definitions = {
  reference: {
    description: "A reference to a secret",
    oneOf: ["env", "file"].map((word) => ({
      type: "object",
      additionalProperties: false,
      required: [word],
      properties: { [word]: { type: "string", minLength: 1 } },
    })),
  },
};

function scopesSchema(at: "group" | "project"): Schema {
  const properties = Object.fromEntries(
    kindsAt(at)
      .filter(({ within }) => within === undefined)
      .map((kind) => [sectionName(kind), orUnmanaged(kindSchema(kind))]),
  );
  const one = { type: "object", additionalProperties: false, properties };
  const except = {
    type: "array",
    description: "Paths and patterns that this pattern leaves out",
    items: { type: "string" },
  };
  return {
    type: "object",
    description: `By path or ID, or by a pattern of paths: * is any part of a name, ** any ${at}s below`,
    patternProperties: { "\\*": { ...one, properties: { except, ...properties } } },
    additionalProperties: one,
  };
}

/** A section, or that it is not declared here. */
function orUnmanaged(schema: Schema): Schema {
  const { description, anyOf, ...rest } = schema;
  const [first, ...others] = (anyOf ?? [rest]) as Schema[];
  // Editors show what the first branch that fits says.
  if (Array.isArray(first?.enum))
    return { description, anyOf: [{ ...first, enum: [...first.enum, "unmanaged"] }, ...others] };
  return { description, anyOf: [first, ...others, { const: "unmanaged" }] };
}

const inherit = { const: "inherit", description: "Only first: the list begins with that of the next wider pattern" };
const absent = { const: true, description: "Leaves an inherited entry out" };

function kindSchema(kind: Kind): Schema {
  const own = ownForms.get(kind);
  if (own !== undefined) return own.schema();
  const description = `${kind.summary}${kind.beyond ? " (not in the API documents)" : ""}`;
  if (kind.bare !== undefined)
    return { description, ...fieldSchema(ownValue(kind.fields, kind.bare) ?? { form: "json" }) };
  if (kind.target !== undefined) {
    const scalar = { type: ["integer", "string"], description: `ID or path of a ${kind.target}` };
    return {
      description,
      type: "array",
      items: { anyOf: [inherit, scalar, { type: "object", properties: { absent } }] },
    };
  }
  const inner = kinds
    .filter(({ within }) => within === kind.name)
    .map((each) => [each.name, orUnmanaged(kindSchema(each))]);
  const entry = objectSchema(kind.fields, Object.fromEntries(inner));
  // What a record must have may be in a wider pattern.
  if (kind.form === "record") return { description, ...entry, required: [] };
  return { description, type: "array", items: { anyOf: [inherit, absentSchema(kind), entry] } };
}

/** An inherited entry that is left out: only what identifies it. */
function absentSchema({ keys, tie, fields }: Kind): Schema {
  const names = [...new Set([...keys.flat(), ...(tie === undefined ? [] : [tie])])];
  const properties = Object.fromEntries(
    names.map((name) => [name, fieldSchema(ownValue(fields, name) ?? { form: "text" })]),
  );
  return { type: "object", additionalProperties: false, required: ["absent"], properties: { ...properties, absent } };
}
