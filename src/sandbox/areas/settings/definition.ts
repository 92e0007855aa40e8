import type { Tier } from "../../server/options.ts";

/** One instance setting as defined on the server. */
export interface Setting {
  readonly name: string;
  readonly kind: "boolean" | "integer" | "number" | "string" | "strings" | "hash";
  readonly initial: unknown;
  readonly min?: number;
  readonly max?: number;
  /** The allowed values of the setting, or of each element. */
  readonly words?: readonly string[];
  /** The setting that requires this one when it is turned on. */
  readonly requiredBy?: string;
  /** The same on real instances only, where the documents require nothing. */
  readonly deployedRequiredBy?: string;
  /** The lowest tier that has it; lower tiers do not have the setting. */
  readonly tier?: Tier;
  /** Write-only. */
  readonly secret?: true;
  /** A deprecated name: writing it writes the other setting. */
  readonly aliasOf?: string;
  /** The same on real instances only: in the documents it is a setting of its own. */
  readonly deployedAliasOf?: string;
  /** Real instances accept it, and do not show it. */
  readonly unshown?: true;
  /** Taken in megabytes, and shown in bytes. */
  readonly megabytes?: true;
  /** The one of `words` that is shown as an empty text. Real instances check these words before all other values. */
  readonly shownEmpty?: string;
  /** The ID of a group, which real instances take for the path of one: they find none, and store null. */
  readonly deployedPath?: true;
  /** A hash whose parts can be set one by one, keeping the others; real instances replace every hash. */
  readonly merges?: true;
  /** Must begin with one of these. */
  readonly schemes?: readonly string[];
}

type Extras = Omit<Setting, "name" | "kind" | "initial">;

/** A boolean setting, off by default. */
export function flag(name: string, initial = false, extras: Extras = {}): Setting {
  return { name, kind: "boolean", initial, ...extras };
}

/** A whole number, at least 0 unless `extras` says otherwise; null if the instance has no value for it. */
export function whole(name: string, initial: number | null, extras: Extras = {}): Setting {
  return { name, kind: "integer", initial, min: 0, ...extras };
}

/** A string setting; null if the instance has no value for it. */
export function text(name: string, initial: string | null = null, extras: Extras = {}): Setting {
  return { name, kind: "string", initial, ...extras };
}

/** A setting with a list of strings. */
export function texts(name: string, initial: readonly string[] = [], extras: Extras = {}): Setting {
  return { name, kind: "strings", initial, ...extras };
}

export function hashed(name: string, initial: Readonly<Record<string, unknown>> = {}, extras: Extras = {}): Setting {
  return { name, kind: "hash", initial, ...extras };
}

/** A boolean setting, and the settings required when it is turned on. */
export function needing(owner: Setting, ...needed: readonly Setting[]): Setting[] {
  return [owner, ...needed.map((setting) => ({ ...setting, requiredBy: owner.name }))];
}
