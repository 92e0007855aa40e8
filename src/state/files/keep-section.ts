import { bare } from "../fields/field-value.ts";
import type { Spot } from "../fields/spot.ts";
import type { Findings, Origin } from "../finding.ts";
import { type Keep, keepProblem, tooManyKept } from "../keep.ts";
import type { Kind } from "../kind.ts";
import { findKind, kinds } from "../kinds/index.ts";
import type { Mapping } from "../yaml/tree.ts";

/** For an example. */
const someList = kinds.find(({ form }) => form === "list")?.name;

/** Collects what the files keep: it holds for all of them. */
export class KeepSections {
  readonly #patterns = new Map<Kind, Set<string>>();
  /** Where the last file has them. */
  readonly #origins = new Map<Kind, Origin>();

  read(top: Mapping, { file, findings }: Spot): void {
    const entry = top.entries.get("keep");
    if (entry === undefined) return;
    const wrong = (line: number, path: string, message: string) =>
      findings.error({ file, line }, path, message, `write it as keep: { ${someList}: ["name-*"] }`);
    if (entry.value.kind !== "mapping") {
      wrong(entry.line, "keep", "must be a mapping of kinds to lists of keys");
      return;
    }
    for (const [name, { line, value }] of entry.value.entries) {
      const kind = findKind(name);
      const patterns = bare(value);
      if (kind?.form !== "list") wrong(line, `keep.${name}`, "is not a kind with entries");
      else if (!areKeys(patterns)) wrong(line, `keep.${name}`, "must be a list of keys");
      else this.#add(kind, patterns.map(String), { file, line }, findings);
    }
  }

  #add(kind: Kind, patterns: readonly string[], origin: Origin, findings: Findings): void {
    const held = this.#patterns.get(kind) ?? new Set();
    for (const pattern of patterns) {
      held.add(pattern);
      const problem = keepProblem(kind, pattern);
      if (problem !== undefined) findings.warn(origin, pathOf(kind), problem);
    }
    this.#patterns.set(kind, held);
    this.#origins.set(kind, origin);
  }

  /** What all files keep; more patterns than can be compared in seconds are an error. */
  all(findings: Findings): Keep {
    for (const [kind, origin] of this.#origins) {
      const problem = tooManyKept(kind, this.#patterns.get(kind) ?? []);
      if (problem !== undefined) findings.error(origin, pathOf(kind), problem, "write fewer and wider patterns");
    }
    return this.#patterns;
  }
}

function pathOf({ name }: Kind): string {
  return `keep.${name}`;
}

function areKeys(value: unknown): value is readonly (string | number)[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string" || typeof each === "number");
}
