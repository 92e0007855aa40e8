import { isGiven } from "../keys.ts";
import { type Change, fieldOf, type Kind, type Live } from "../kind.ts";
import type { Pair } from "./match.ts";

// Of a secret that cannot be read back, an instance may show whether it is set, which is compared.

/**
 * Whether a secret is set, as it is declared, or is not; undefined if the instance does not say. Of webhooks, newer
 * releases have `token_present`; of settings, they show whether a secret is empty.
 */
function isAsSet({ form }: Kind, name: string, declared: unknown, { values }: Live): boolean | undefined {
  const isSet = values[`${name}_present`];
  if (typeof isSet === "boolean") return isSet === isGiven(declared);
  const isShown = form === "record" && Object.hasOwn(values, name);
  return isShown ? isGiven(values[name]) === isGiven(declared) : undefined;
}

interface Shown {
  readonly live: Live;
  /** See `CompareOptions`. */
  readonly recent?: readonly string[] | undefined;
}

/**
 * Whether a secret is to be sent since it is set otherwise than declared. One that is to be empty is, too, where a read
 * may be older than what was written a moment ago.
 */
export function isOtherwiseSet(kind: Kind, name: string, declared: unknown, { live, recent = [] }: Shown): boolean {
  return recent.includes(name) ? !isGiven(declared) : isAsSet(kind, name, declared, live) === false;
}

/**
 * The secrets that an update sends only since they are set otherwise, by what the instance shows: a new address needs
 * them in any case.
 *
 * @param write the names that differ, without those that are sent along
 * @param recent see `CompareOptions`
 */
export function sentByPresence(
  { kind, action }: Pick<Change, "kind" | "action">,
  write: readonly string[],
  recent: readonly string[] = [],
): string[] {
  const isNew = write.some((name) => fieldOf(kind, name).schemes !== undefined);
  if (action !== "update" || isNew) return [];
  return write.filter((name) => fieldOf(kind, name).writeOnly && !recent.includes(name));
}

/** How many of these secrets are as declared by now: another user has set or removed them meanwhile. */
export function setMeanwhile(
  { byPresence: secrets = [], kind, desired }: Change,
  live: Live | undefined,
): "none" | "some" | "all" {
  if (live === undefined) return "none";
  const set = secrets.filter((name) => isAsSet(kind, name, desired?.values[name], live) === true);
  if (set.length === 0) return "none";
  return set.length === secrets.length ? "all" : "some";
}

/** Whether a secret that a plan sets, since it was not set, is set by now, which no copy from before tells. */
export function isShownSet({ desired }: Change, live: Live | undefined, name: string): boolean {
  return isGiven(desired?.values[name]) && isGiven(live?.values[name]);
}

/** How many secrets of an entry a run does not know to be as declared. */
export function uncomparedIn(
  kind: Kind,
  { entry, held }: Pair,
  changes: readonly Pick<Change, "action" | "write">[],
  { presence, recent = [] }: { readonly presence?: boolean; readonly recent?: readonly string[] | undefined },
): number {
  if (held === undefined || changes.some(({ action }) => action === "unreadable")) return 0;
  const written = new Set(changes.flatMap(({ write }) => write));
  const isUncompared = ([name, value]: [string, unknown]) => {
    const { form, writeOnly } = fieldOf(kind, name);
    if (form === "keys") return Array.isArray(value) && value.length > 0;
    const isKnown = presence && !recent.includes(name) && isAsSet(kind, name, value, held) !== undefined;
    return writeOnly === true && (isGiven(value) || !isKnown);
  };
  return Object.entries(entry.values).filter((each) => !written.has(each[0]) && isUncompared(each)).length;
}
