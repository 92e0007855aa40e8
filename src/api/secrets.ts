import type { Field, Fields } from "./field.ts";

/** Every text inside the values whose fields are declared secret, at any depth: parameters, and answers. */
export function secretTexts(fields: Fields, values: unknown): string[] {
  // Most entities hold none, and their lists are long.
  return holdsSecret(fields) ? collect(fields, values) : [];
}

function holdsSecret(fields: Fields): boolean {
  return Object.values(fields).some(isSecretOrHolds);
}

function isSecretOrHolds(field: Field): boolean {
  if (field.secret === true) return true;
  if (field.item !== undefined && isSecretOrHolds(field.item)) return true;
  return field.shape !== undefined && holdsSecret(field.shape);
}

/** Instances call a data source name otherwise than the documents. */
const dsnName = /_dsn$/;

function collect(fields: Fields, values: unknown): string[] {
  if (Array.isArray(values)) return values.flatMap((value) => collect(fields, value));
  if (typeof values !== "object" || values === null) return [];
  const named = Object.entries(values).flatMap(([name, value]) => (dsnName.test(name) ? textsIn(value) : []));
  const declared = Object.entries(fields).flatMap(([name, field]) =>
    secretsAt(field, (values as Record<string, unknown>)[name]),
  );
  return [...named, ...declared];
}

function secretsAt(field: Field, value: unknown): string[] {
  if (field.secret === true || field.item?.secret === true) return textsIn(value);
  const shape = field.shape ?? field.item?.shape;
  return shape === undefined ? [] : collect(shape, value);
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
