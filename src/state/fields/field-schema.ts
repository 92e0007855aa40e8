import type { Kind, StateField } from "../kind.ts";

export type Schema = Record<string, unknown>;

const reference = { $ref: "#/definitions/reference" };

export function objectSchema(fields: Kind["fields"], more: Schema = {}): Schema {
  const entries = Object.entries(fields);
  const needed = entries.filter(([, { required }]) => required).map(([name]) => name);
  return {
    type: "object",
    additionalProperties: false,
    properties: { ...Object.fromEntries(entries.map(([name, field]) => [name, fieldSchema(field)])), ...more },
    ...(needed.length > 0 && { required: needed }),
  };
}

export function fieldSchema(field: StateField): Schema {
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
  const { form, values, min, max, levels, item, nullable, writeOnly } = field;
  const bounds = { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) };
  switch (form) {
    case "boolean":
      return { type: "boolean" };
    case "integer":
      return { type: "integer", ...bounds };
    case "number":
      return { type: "number", ...bounds };
    case "id":
      return { type: nullable ? ["integer", "null"] : "integer", minimum: 1 };
    case "level":
      return { anyOf: [{ enum: Object.keys(levels ?? {}) }, { type: "integer", minimum: 0 }] };
    case "text":
    case "addresses":
      if (writeOnly) return { anyOf: [{ type: "string" }, reference] };
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
