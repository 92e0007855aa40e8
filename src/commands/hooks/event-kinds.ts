import { beyondEventFlags, eventFlags, hookTriggers, ignorableFlags } from "../../api/endpoints/hooks.ts";
import { type Field, oneOf } from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";
import { notOneOf } from "../../base/not-one-of.ts";
import type { Context } from "../../context.ts";

const allFlags = { ...eventFlags, ...beyondEventFlags };

type Flags = { [K in keyof typeof allFlags]?: boolean } & { more_events?: Record<string, boolean> };

export const suffix = "_events";
/** The kinds of events, as `--events` names them. */
export const kinds = Object.keys(allFlags).map((flag) => flag.slice(0, -suffix.length));
const documented = Object.keys(eventFlags);

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
 *
 * @param live an existing hook: its flags are the kinds that the instance knows, also those that only it knows
 */
export function parseKinds(text: string, live?: object): Flags {
  const words = text.split(",").map((word) => word.trim());
  const liveFlags = Object.keys(live ?? {}).filter((name) => name.endsWith(suffix));
  const known = live === undefined ? kinds : [...new Set([...kinds, ...liveFlags.map(kindOf)])];
  const flags: Record<string, boolean> = {};
  const every = (on: boolean) => {
    const names = live === undefined && on ? Object.keys(allFlags) : [...documented, ...liveFlags];
    Object.assign(flags, Object.fromEntries(names.map((name) => [name, on])));
  };
  if (live === undefined) every(false);
  const named = new Set<string>();
  for (const [index, word] of words.entries()) {
    if (word === "all" || word === "none") {
      if (index > 0) throw new UsageError(`--events: ${word} means every kind; it must come first, or alone`);
      every(word === "all");
      continue;
    }
    if (word === "-all" || word === "-none") {
      const instead = word === "-all" ? "none" : "all";
      throw new UsageError("--events: only single kinds take a -", { hint: `instead of ${word}: ${instead}` });
    }
    const name = word.replace(/^-/, "");
    checkKind(name, known);
    if (named.has(name)) throw new UsageError(`--events: ${name} is given twice`);
    named.add(name);
    flags[name + suffix] = !word.startsWith("-");
  }
  if (live === undefined && words.every((word) => word.startsWith("-"))) {
    throw new UsageError("--events: in a new hook, kinds that are not named are off", {
      hint: `for all but these: --events all,${text}`,
    });
  }
  const own = Object.entries(flags).filter(([name]) => Object.hasOwn(allFlags, name));
  const more = Object.entries(flags).filter(([name]) => !Object.hasOwn(allFlags, name));
  return { ...Object.fromEntries(own), ...(more.length > 0 && { more_events: Object.fromEntries(more) }) };
}

/**
 * The flags that a list turns on as a part of `all`, and that instances may leave off. A kind that is named is asked
 * for: if it is off afterwards, the change has failed.
 */
export function ignorable(text: string | undefined): string[] {
  const [first, ...named] = (text ?? "").split(",").map((word) => word.trim());
  return first === "all"
    ? ignorableFlags.filter((flag) => !named.some((word) => word.replace(/^-/, "") === kindOf(flag)))
    : [];
}

/** Says which of the kinds that `all` includes are off in an instance's answer. */
export function warnOfIgnored(context: Context, text: string | undefined, answer: object): void {
  const values = new Map(Object.entries(answer));
  const off = ignorable(text).filter((flag) => values.get(flag) === false);
  if (off.length > 0) context.warn(`--events all: the instance left ${off.map(kindOf).join(" and ")} off`);
}

export function kindOf(flag: string): string {
  return flag.slice(0, -suffix.length);
}

function checkKind(name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  if (name === "") throw new UsageError("--events: missing <kind>");
  const meant = name.endsWith(suffix) ? kindOf(name) : name;
  throw notOneOf({ label: "--events", text: name, allowed: [...known, "all", "none"], meant });
}

/** The lists of the hooks that have every kind of their instance. */
const complete = new WeakSet<readonly unknown[]>();

/** The enabled kinds of a hook, including undocumented ones. */
export function kindsOf(hook: object): string[] {
  const flags = Object.entries(hook).filter(([name]) => name.endsWith(suffix));
  const on = flags.filter(([, value]) => value === true).map(([name]) => kindOf(name));
  if (on.length === flags.length && documented.every((flag) => on.includes(kindOf(flag)))) complete.add(on);
  return on;
}

/** Kinds in the words of `--events`. */
export function kindsText(on: readonly unknown[]): string {
  if (on.length === 0) return "none";
  return complete.has(on) ? "all" : on.join(",");
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
    allFlags[`${kind}${suffix}` as keyof typeof allFlags].description,
  ]);
  if (before.length > 0 || sign !== "") return each;
  return [...each, ["all", "Every kind"], ["none", "No kind"]];
}
