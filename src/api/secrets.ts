import type { Field, Fields } from "./field.ts";

/** Every text inside the values whose fields are declared secret, at any depth: parameters, and answers. */
export function secretTexts(fields: Fields, values: unknown): string[] {
  if (Array.isArray(values)) return values.flatMap((value) => secretTexts(fields, value));
  if (typeof values !== "object" || values === null) return [];
  return Object.entries(fields).flatMap(([name, field]) => secretsAt(field, (values as Record<string, unknown>)[name]));
}

function secretsAt(field: Field, value: unknown): string[] {
  if (field.secret === true || field.item?.secret === true) return textsIn(value);
  const shape = field.shape ?? field.item?.shape;
  return shape === undefined ? [] : secretTexts(shape, value);
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
