import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { RE2JS } from "re2js";

// How the platform processes a pipeline template with typed inputs: it validates the values by the rules of the header,
// inserts them into the text (so that quotes and line breaks of a value are interpreted as YAML), and parses the
// result.

type Value = string | number | boolean | readonly unknown[];

export interface Rule {
  type?: "string" | "number" | "boolean" | "array";
  description?: string;
  default?: Value;
  options?: readonly Value[];
  /** RE2, matched anywhere in the value. */
  regex?: string;
}

export interface Template {
  inputs: Readonly<Record<string, Rule>>;
  /** The part below the header, with placeholders `$[[ inputs.name ]]`. */
  body: string;
}

interface Variable {
  value: string;
  expand?: boolean;
}

export interface Job {
  image: string;
  stage: string;
  script: readonly string[];
  variables: Readonly<Record<string, string | Variable>>;
  rules?: readonly object[];
  after_script?: readonly string[];
  needs?: readonly string[];
  /** Jobs of one group run one at a time. */
  resource_group?: string;
  artifacts?: {
    paths: readonly string[];
    reports?: Readonly<Record<string, string>>;
    when?: string;
    access?: string;
    expire_in?: string;
  };
  allow_failure?: { exit_codes: readonly number[] };
}

export type Inputs = Readonly<Record<string, unknown>>;

export class InputError extends Error {}

export function readTemplate(path: string): Template {
  const [header = "", body = ""] = readFileSync(path, "utf8").split(/^---$/m);
  const { spec } = load(header) as { spec: { inputs: Template["inputs"] } };
  return { inputs: spec.inputs, body };
}

/** The jobs of a template. Throws an {@link InputError} if the platform would not create a pipeline. */
export function fill({ inputs, body }: Template, given: Inputs): Record<string, Job> {
  const unknown = Object.keys(given).find((name) => !(name in inputs));
  if (unknown !== undefined) throw new InputError(`unknown input: ${unknown}`);
  const values = new Map(Object.entries(inputs).map(([name, rule]) => [name, valueOf(name, rule, given[name])]));
  const text = body.replace(/\$\[\[\s*inputs\.([\w-]+)\s*\]\]/g, (_, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new InputError(`no such input: ${name}`);
    return typeof value === "string" ? value : JSON.stringify(value);
  });
  return load(text) as Record<string, Job>;
}

function valueOf(name: string, rule: Rule, given: unknown): Value {
  const value = given ?? rule.default;
  if (value === undefined) throw new InputError(`${name}: required`);
  if (!accepts(rule, value)) throw new InputError(`${name}: refused: ${JSON.stringify(value)}`);
  return typed(rule, value) as Value;
}

/** Whether a value has an input's type, and is one of its options or matches its pattern. */
export function accepts(rule: Rule, given: unknown): boolean {
  const { type = "string", options, regex } = rule;
  const value = typed(rule, given);
  if ((Array.isArray(value) ? "array" : typeof value) !== type) return false;
  if (options !== undefined && !options.includes(value as Value)) return false;
  return regex === undefined || RE2JS.compile(regex).matcher(String(value)).find();
}

/** A string accepts any type; other types must match, or be given as JSON. */
function typed({ type = "string" }: Rule, value: unknown): unknown {
  if (type === "string") return String(value);
  try {
    return typeof value === "string" ? JSON.parse(value) : value;
  } catch {
    return value;
  }
}

/**
 * A job's environment: that of CI, and the job's own variables, in which names of others are expanded unless turned
 * off.
 */
export function environmentOf(
  { variables }: Job,
  ci: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const own = Object.entries(variables).map(([name, variable]) => {
    const { value, expand = true } = typeof variable === "string" ? { value: variable } : variable;
    return [name, expand ? value.replace(/\$(?:(\w+)|\{(\w+)\})/g, (_, a, b) => ci[a ?? b] ?? "") : value] as const;
  });
  return { ...ci, ...Object.fromEntries(own) };
}
