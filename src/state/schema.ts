import { settings as catalogue } from "../settings/catalogue.ts";
import { type Kind, type StateField, sectionName } from "./kind.ts";
import { kinds, kindsAt } from "./kinds/index.ts";
import { settingsKind } from "./kinds/settings.ts";

type Schema = Record<string, unknown>;

const reference = { $ref: "#/definitions/reference" };

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
      settings: settingsSchema(),
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

/** The schema of a file that contains only settings. */
export function settingsFileSchema(): Schema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Settings of an instance",
    ...settingsSchema(),
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

function settingsSchema(): Schema {
  const described = catalogue.map(({ name, description, default: standard, unit, tier, deprecated }) => {
    const notes = [
      ...(unit === undefined ? [] : [`in ${unit}`]),
      ...(tier === undefined ? [] : [tier]),
      ...(deprecated === undefined ? [] : ["deprecated"]),
    ];
    const field = settingsKind.fields[name] ?? { form: "json" };
    return [
      name,
      {
        ...fieldSchema(field),
        description: notes.length === 0 ? description : `${description} (${notes.join(", ")})`,
        ...(standard !== undefined && { default: standard }),
      },
    ];
  });
  return { type: "object", description: settingsKind.summary, properties: Object.fromEntries(described) };
}

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
const absent = { const: true, description: "Takes an inherited entry out" };

function kindSchema(kind: Kind): Schema {
  const description = `${kind.summary}${kind.beyond ? " (not in the API documents)" : ""}`;
  if (kind.bare !== undefined) return { description, ...fieldSchema(kind.fields[kind.bare] ?? { form: "json" }) };
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

/** An entry that is taken out: only what identifies it. */
function absentSchema({ keys, tie, fields }: Kind): Schema {
  const names = [...new Set([...keys.flat(), ...(tie === undefined ? [] : [tie])])];
  const properties = Object.fromEntries(names.map((name) => [name, fieldSchema(fields[name] ?? { form: "text" })]));
  return { type: "object", additionalProperties: false, required: ["absent"], properties: { ...properties, absent } };
}

function objectSchema(fields: Kind["fields"], more: Schema = {}): Schema {
  const entries = Object.entries(fields);
  const needed = entries.filter(([, { required }]) => required).map(([name]) => name);
  return {
    type: "object",
    additionalProperties: false,
    properties: { ...Object.fromEntries(entries.map(([name, field]) => [name, fieldSchema(field)])), ...more },
    ...(needed.length > 0 && { required: needed }),
  };
}

function fieldSchema(field: StateField): Schema {
  const { description, readOnly } = field;
  return {
    ...formSchema(field),
    ...(description !== undefined && { description }),
    ...(readOnly && { readOnly: true }),
  };
}

/** Values that an instance may extend are only offered. */
function itemsSchema({ values, suggested }: StateField): Schema {
  if (values !== undefined) return { items: { enum: [...values] } };
  return suggested === undefined ? {} : { items: { anyOf: [{ enum: [...suggested] }, { type: "string" }] } };
}

function formSchema(field: StateField): Schema {
  const { form, values, min, max, levels, item } = field;
  const bounds = { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) };
  switch (form) {
    case "boolean":
      return { type: "boolean" };
    case "integer":
      return { type: "integer", ...bounds };
    case "number":
      return { type: "number", ...bounds };
    case "id":
      return { type: "integer", minimum: 1 };
    case "level":
      return { anyOf: [{ enum: Object.keys(levels ?? {}) }, { type: "integer", minimum: 0 }] };
    case "text":
    case "addresses":
      return {
        anyOf: [values === undefined ? { type: ["string", "null"] } : { enum: [...values, "", null] }, reference],
      };
    case "names":
    case "domains":
      return { type: "array", ...itemsSchema(field) };
    case "list":
      return { type: "array" };
    case "hash":
      return { type: "object" };
    case "rules":
    case "keys":
      return { type: "array", items: objectSchema(item ?? {}) };
    default:
      return {};
  }
}
