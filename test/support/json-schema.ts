type Schema = Readonly<Record<string, unknown>>;

/**
 * The problems of a value according to a JSON Schema. Supports the keywords in the schemas of state files, as in
 * draft-07, and throws for any other.
 */
export function schemaProblems(root: Schema, value: unknown, schema: unknown = root, path = "$"): string[] {
  if (typeof schema === "boolean") return schema ? [] : [`${path}: not allowed`];
  return Object.entries(schema as Schema).flatMap(([keyword, wanted]) => {
    const check = keywords[keyword];
    if (check === undefined) throw new Error(`${path}: the keyword ${keyword} is not known`);
    return check({ root, value, path, wanted, schema: schema as Schema });
  });
}

interface Check {
  root: Schema;
  value: unknown;
  path: string;
  wanted: unknown;
  schema: Schema;
}

const none = () => [];
const isMapping = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const fails = (bad: boolean, path: string, text: string) => (bad ? [`${path}: ${text}`] : []);
const equal = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function isOf(value: unknown, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isMapping(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

const fitting = ({ root, value, path, wanted }: Check) =>
  (wanted as unknown[]).filter((each) => schemaProblems(root, value, each, path).length === 0).length;

const keywords: Readonly<Record<string, (check: Check) => string[]>> = {
  ...Object.fromEntries(
    ["$schema", "title", "description", "default", "definitions", "format", "readOnly"].map((name) => [name, none]),
  ),
  $ref: ({ root, value, path, wanted }) => {
    const steps = String(wanted).split("/").slice(1);
    const found = steps.reduce<unknown>((at, step) => (at as Schema)[step], root);
    return schemaProblems(root, value, found, path);
  },
  type: ({ value, path, wanted }) =>
    fails(![wanted].flat().some((each) => isOf(value, String(each))), path, `must be ${String(wanted)}`),
  const: ({ value, path, wanted }) => fails(!equal(value, wanted), path, `must be ${JSON.stringify(wanted)}`),
  enum: ({ value, path, wanted }) =>
    fails(!(wanted as unknown[]).some((each) => equal(each, value)), path, `must be one of ${String(wanted)}`),
  minimum: ({ value, path, wanted }) =>
    fails(typeof value === "number" && value < Number(wanted), path, "is too small"),
  maximum: ({ value, path, wanted }) =>
    fails(typeof value === "number" && value > Number(wanted), path, "is too large"),
  minLength: ({ value, path, wanted }) =>
    fails(typeof value === "string" && value.length < Number(wanted), path, "is too short"),
  anyOf: (check) => fails(fitting(check) === 0, check.path, "fits none"),
  oneOf: (check) => fails(fitting(check) !== 1, check.path, "must fit exactly one"),
  required: ({ value, path, wanted }) =>
    isMapping(value)
      ? (wanted as string[]).filter((name) => !(name in value)).map((name) => `${path}: ${name} is missing`)
      : [],
  items: ({ root, value, path, wanted }) =>
    Array.isArray(value) ? value.flatMap((each, at) => schemaProblems(root, each, wanted, `${path}[${at}]`)) : [],
  properties: ({ root, value, path, wanted }) =>
    isMapping(value)
      ? Object.entries(wanted as Schema)
          .filter(([name]) => name in value)
          .flatMap(([name, each]) => schemaProblems(root, value[name], each, `${path}.${name}`))
      : [],
  additionalProperties: ({ root, value, path, wanted, schema }) =>
    isMapping(value)
      ? Object.entries(value)
          .filter(([name]) => !(name in ((schema.properties ?? {}) as Schema)))
          .flatMap(([name, each]) => schemaProblems(root, each, wanted, `${path}.${name}`))
      : [],
};
