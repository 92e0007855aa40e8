import { eventFlags, hookTriggers } from "../../api/endpoints/hooks.ts";
import { type Field, oneOf } from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";
import { nearest } from "../../base/nearest.ts";

type Flags = { [K in keyof typeof eventFlags]?: boolean };

const suffix = "_events";
/** The kinds of events, as `--events` names them. */
export const kinds = Object.keys(eventFlags).map((flag) => flag.slice(0, -suffix.length));

/** `--trigger`: one kind, also by the name of its flag or as in deliveries (`push_hooks`, `merge_request_hooks`). */
export function trigger(description: string): Field<string, false> {
  const asDelivered = kinds.map((kind) => `${kindName(kind)}_hooks`);
  return oneOf(kinds, description, { placeholder: "kind", suggests: [...hookTriggers, ...asDelivered] });
}

/**
 * The common form of a kind's names in flags, triggers, and deliveries: `merge_requests_events`, `merge_request_hooks`.
 */
export function kindName(word: string): string {
  return word.replace(/_(?:hooks|events)$/, "").replace(/s$/, "");
}

/**
 * Parses a list of kinds into flags: `push,note`, `-note` for off, and first, if at all, `all` or `none`. In a new
 * hook, every kind that is not named is off; in an existing one, only the named kinds are changed.
 */
export function parseKinds(text: string, of: "new" | "present"): Flags {
  const words = text.split(",").map((word) => word.trim());
  const flags: Record<string, boolean> = {};
  if (of === "new") Object.assign(flags, everyKind(false));
  const named = new Set<string>();
  for (const [index, word] of words.entries()) {
    if (word === "all" || word === "none") {
      if (index > 0) throw new UsageError(`--events: ${word} means every kind; it must come first, or alone`);
      Object.assign(flags, everyKind(word === "all"));
      continue;
    }
    if (word === "-all" || word === "-none") {
      const instead = word === "-all" ? "none" : "all";
      throw new UsageError("--events: only single kinds take a -", { hint: `instead of ${word}: ${instead}` });
    }
    const name = word.replace(/^-/, "");
    checkKind(name);
    if (named.has(name)) throw new UsageError(`--events: ${name} is given twice`);
    named.add(name);
    flags[name + suffix] = !word.startsWith("-");
  }
  if (of === "new" && words.every((word) => word.startsWith("-"))) {
    throw new UsageError("--events: in a new hook, kinds that are not named are off", {
      hint: `for all but these: --events all,${text}`,
    });
  }
  return flags;
}

function checkKind(name: string): void {
  if (kinds.includes(name)) return;
  const guess = nearest(name.endsWith(suffix) ? name.slice(0, -suffix.length) : name, [...kinds, "all", "none"]);
  throw new UsageError(name === "" ? "--events: a kind is missing" : `--events: unknown kind "${name}"`, {
    reason: `kinds: ${kinds.join(", ")}; or all, none`,
    ...(guess !== undefined && { hint: `did you mean ${guess}?` }),
  });
}

function everyKind(on: boolean): Record<string, boolean> {
  return Object.fromEntries(kinds.map((kind) => [kind + suffix, on]));
}

/** The enabled kinds of a hook, including undocumented ones. */
export function kindsOf(hook: object): string[] {
  const on = Object.entries(hook).filter(([name, value]) => name.endsWith(suffix) && value === true);
  return on.map(([name]) => name.slice(0, -suffix.length));
}

/** Kinds in the words of `--events`. */
export function kindsText(on: readonly unknown[]): string {
  if (on.length === 0) return "none";
  return kinds.every((kind) => on.includes(kind)) ? "all" : on.join(",");
}

/**
 * The words that are allowed in a list of kinds, with descriptions.
 *
 * @param typed the word typed so far; with a leading `-`, kinds to turn off
 * @param before the preceding words of the list
 */
export function completeKinds(typed: string, before: readonly string[]): [word: string, description: string][] {
  const sign = typed.startsWith("-") ? "-" : "";
  const each = kinds.map((kind): [string, string] => [
    `${sign}${kind}`,
    eventFlags[`${kind}${suffix}` as keyof typeof eventFlags].description,
  ]);
  if (before.length > 0 || sign !== "") return each;
  return [...each, ["all", "Every kind"], ["none", "No kind"]];
}
