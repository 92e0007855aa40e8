import type { Findings, Origin } from "../finding.ts";
import type { Section } from "../kind.ts";

/** A section without a value. */
export interface NullSection extends Pick<Section, "scope" | "kind" | "origin"> {
  readonly path: string;
}

/** The position of a value, and the collector of its problems. */
export interface Spot {
  readonly file: string;
  /** Dotted, from the top of the file. */
  readonly path: string;
  readonly findings: Findings;
  readonly strict: boolean;
  /** Name of the kind that is being read. */
  readonly kind: string;
  /** See `Reference.folder`. */
  readonly folder: string | undefined;
  /** The pattern whose declaration is read. */
  readonly pattern?: string;
  /** Sections that are null: what to write instead depends on the other files. */
  readonly nulls: NullSection[];
}

/** Characters of a key in a path: the problems below a long key would otherwise repeat it, each one whole. */
const shownOfKey = 200;

/** The position of a key, or of an item (counted from 0), below `spot`. */
export function at(spot: Spot, key: string | number): Spot {
  const name = typeof key === "string" && key.length > shownOfKey ? `${key.slice(0, shownOfKey)}...` : key;
  const path = typeof name === "number" ? `${spot.path}[${name}]` : spot.path === "" ? name : `${spot.path}.${name}`;
  return { ...spot, path };
}

/** The file and line (from 1) of a value, for findings. */
export function originOf({ file, pattern }: Spot, { line }: { line: number }): Origin {
  return pattern === undefined ? { file, line } : { file, line, pattern };
}
