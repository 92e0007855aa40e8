import type { Field, Fields } from "../api/field.ts";
import type { Command } from "../declare/command.ts";

type Schema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema (draft-07) of what a command prints with `-o json`. Every field may be missing: instances leave
 * fields out by release, tier, and role, and may add others.
 */
export function outputSchema(path: readonly string[], { summary, prints, returns }: Command): Schema {
  const row = returns === undefined ? {} : objectSchema(returns.shape);
  const either = { anyOf: [{ type: "array", items: row }, row] };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: `forgectl ${path.join(" ")} -o json`,
    description: returns === undefined ? `${summary}. The fields depend on what is asked for` : summary,
    ...(returns === undefined ? {} : prints === undefined ? either : prints === "rows" ? rows(row) : row),
  };
}

function rows(items: Schema): Schema {
  return { type: "array", items };
}

function objectSchema(shape: Fields): Schema {
  const properties = Object.entries(shape).map(([name, field]) => [name, fieldSchema(field)]);
  return { type: "object", properties: Object.fromEntries(properties) };
}

const types: Readonly<Partial<Record<Field["kind"], Schema>>> = {
  integer: { type: "integer" },
  id: { type: "integer" },
  bytes: { type: "integer" },
  code: { type: "integer" },
  number: { type: "number" },
  seconds: { type: "number" },
  share: { type: "number" },
  boolean: { type: "boolean" },
  timestamp: { type: "string", format: "date-time" },
  date: { type: "string", format: "date" },
  map: { type: "object" },
  json: {},
};

function fieldSchema(field: Field): Schema {
  const { description } = field;
  const schema: Schema = { ...typeSchema(field), ...(description !== "" && { description }) };
  // A secret is masked unless --reveal is given.
  const words = [schema.type, field.secret && "string", field.nullable && "null"].flat();
  const allowed = [...new Set(words.filter((each) => typeof each === "string"))];
  return "type" in schema ? { ...schema, type: allowed.length === 1 ? allowed[0] : allowed } : schema;
}

function typeSchema({ kind, item, shape, orDate }: Field): Schema {
  if (orDate) return { type: "string", anyOf: [{ format: "date-time" }, { format: "date" }] };
  if (kind === "array") return rows(item === undefined ? {} : fieldSchema(item));
  if (kind === "object" && shape !== undefined) return objectSchema(shape);
  return types[kind] ?? { type: "string" };
}
