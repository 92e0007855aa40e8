import type { Spot } from "../../src/state/fields/spot.ts";
import { type Declaration, declare, type SingleKind } from "../../src/state/files/declaration.ts";
import type { StateFile } from "../../src/state/files/sources.ts";
import { type Finding, Findings } from "../../src/state/finding.ts";
import type { StateField } from "../../src/state/kind.ts";
import type { Mapping, Tree } from "../../src/state/yaml/tree.ts";
import { compose } from "../../src/state/yaml/yaml.ts";

/** A problem on one line: `f:2 error settings.a: must be a text, not 1 | write it in quotes`. */
export function problemText({ file, line, severity, path, message, hint }: Finding): string {
  return `${file}:${line} ${severity} ${path}: ${message}${hint === null ? "" : ` | ${hint}`}`;
}

/** A place in the file `f`, to which values are read, and the problems found there. */
export function placeOf({ strict = false, ...more }: Partial<Spot> = {}) {
  const findings = new Findings();
  const spot: Spot = { file: "f", path: "x", findings, strict, kind: "things", folder: "/state", nulls: [], ...more };
  return { spot, problems: () => findings.list.map(problemText) };
}

/** The value of `x` in a text, and the whole text as a mapping. */
export function treeOf(text: string): { top: Mapping; value: Tree } {
  const top = compose(text) as Mapping;
  const [first] = top.entries.values();
  return { top, value: (first as { value: Tree }).value };
}

/** A field of a form, with more of it. */
export function fieldOf(form: StateField["form"], more: Omit<StateField, "form"> = {}): StateField {
  return { form, ...more };
}

interface Options {
  readonly strict?: boolean;
  readonly single?: SingleKind;
  readonly folder?: string;
  /** What stands before each text. */
  readonly head?: string;
}

/** Declares the texts of files, which are called a, b, and so on. */
export async function declared(
  texts: string | readonly string[],
  { folder = "/state", head = "forgectl: 1\n", ...options }: Options = {},
): Promise<Declaration & { problems: string[]; objects: number }> {
  const findings = new Findings();
  const files = [texts].flat().map((text, index): StateFile => {
    return { name: String.fromCharCode(97 + index), folder, tree: compose(`${head}${text}\n`) };
  });
  const declaration = await declare(files, findings, options);
  return { ...declaration, problems: findings.list.map(problemText) };
}

/** A scope of a state file from the short words of tests: `acme/**: { reg: private, envs: [P(40), S] }`. */
export function scopeText(text: string, of: "group" | "project" = "project"): string {
  const long = text
    .replace(/\breg\b/, "container_registry_access_level")
    .replace(/\benvs\b/, "protected_environments")
    .replace(/\blinks\b/, "saml_group_links")
    .replace(/\bP\((\d+)\)/g, "{ name: production, deploy_access_levels: [{ access_level: $1 }] }")
    .replace(/\bS\b/g, "{ name: staging }")
    .replace(/\bR\b/g, "{ name: review }");
  return `${of}s: { ${long} }`;
}
