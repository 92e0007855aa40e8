import type { Tier } from "../../server/options.ts";

/** One instance setting, as the server knows it. */
export interface Setting {
  readonly name: string;
  readonly kind: "boolean" | "integer" | "number" | "string" | "strings" | "hash";
  readonly initial: unknown;
  readonly min?: number;
  readonly max?: number;
  /** The only words that it, or each of its elements, may be. */
  readonly words?: readonly string[];
  /** The setting that, being turned on, needs this one given with it. */
  readonly requiredBy?: string;
  /** The least tier that has it; on a lower one it is not there at all. */
  readonly tier?: Tier;
  /** Can be written, is never read back. */
  readonly secret?: true;
  /** A deprecated name: writing it writes the other setting. */
  readonly aliasOf?: string;
  /** A hash whose parts can be given one by one: the others stay as they are. */
  readonly merges?: true;
  /** Must begin with one of these. */
  readonly schemes?: readonly string[];
}

type Extras = Omit<Setting, "name" | "kind" | "initial">;

export function flag(name: string, initial = false, extras: Extras = {}): Setting {
  return { name, kind: "boolean", initial, ...extras };
}

/** A whole number, at least 0 unless `extras` says otherwise; null where the instance has no value for it. */
export function whole(name: string, initial: number | null, extras: Extras = {}): Setting {
  return { name, kind: "integer", initial, min: 0, ...extras };
}

export function text(name: string, initial: string | null = null, extras: Extras = {}): Setting {
  return { name, kind: "string", initial, ...extras };
}

export function texts(name: string, initial: readonly string[] = [], extras: Extras = {}): Setting {
  return { name, kind: "strings", initial, ...extras };
}

export function hashed(name: string, initial: Readonly<Record<string, unknown>> = {}, extras: Extras = {}): Setting {
  return { name, kind: "hash", initial, ...extras };
}

/** A switch, and the settings that must be given when it is turned on. */
export function needing(owner: Setting, ...needed: readonly Setting[]): Setting[] {
  return [owner, ...needed.map((setting) => ({ ...setting, requiredBy: owner.name }))];
}
