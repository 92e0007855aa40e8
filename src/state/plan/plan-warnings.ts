import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { addressOf } from "../keys.ts";
import { type Change, fieldOf, isReference, type Section } from "../kind.ts";
import type { Recalled } from "../runs/recent-writes.ts";
import { addressOfChange } from "./plan-row.ts";

// What a plan cannot show in its rows, said before anything is sent.

/** What an instance caches can hide what was there before a change. */
export function warnUnsure(context: Context, changes: readonly Change[], recalled: Recalled | undefined): void {
  // No rollback restores a secret.
  const written = new Set(
    changes.flatMap(({ kind, write }) => write.filter((name) => fieldOf(kind, name).writeOnly !== true)),
  );
  const unsure = recalled?.unsure.filter((name) => written.has(name)) ?? [];
  if (unsure.length === 0) return;
  context.warn(
    `${changes[0]?.kind.name} are cached, and ${unsure.join(", ")} may have been changed a moment ago: ` +
      "what a rollback of the next change restores is not certain",
  );
}

/**
 * What a new object has that no file declares: a run has removed the one before it.
 *
 * @param alone the same change by what is declared
 */
export function warnTaken(context: Context, change: Change, alone: Change | undefined): void {
  const taken = change.write.filter((name) => alone?.write.includes(name) === false);
  if (taken.length === 0) return;
  context.warn(
    `${addressOfChange(change)}: a run has removed it, and did not record that it added it again: ` +
      `${taken.join(", ")} as it was, or was to be`,
  );
}

/** What an instance does besides, which neither the rows of an apply nor a rollback would say. */
export function warnBesides(context: Context, changes: readonly Change[]): void {
  const texts = changes.flatMap((change) => change.kind.besides?.(change) ?? []);
  for (const text of new Set(texts)) context.warn(text);
}

/** The variables that are not set, of texts that the instance can show. */
export function unsetVariables({ kind, entries }: Section): string[] {
  return entries.flatMap(({ values }) =>
    Object.entries(values).flatMap(([name, value]) => {
      const { writeOnly = false, secret = false } = fieldOf(kind, name);
      return isReference(value) && value.reference === "env" && !writeOnly && !secret ? [value.name] : [];
    }),
  );
}

export function warnUnset(context: Context, names: ReadonlySet<string>): void {
  if (names.size === 0) return;
  context.warn(
    `not set: ${[...names].join(", ")}; what ${names.size === 1 ? "it gives" : "they give"} is not compared`,
  );
}

/** @param size how many entries the list has now */
export function warnFull(
  context: Context,
  { kind, scope }: Pick<Section, "kind" | "scope">,
  size: number,
  changes: readonly Change[],
): void {
  const { limit } = kind;
  if (limit === undefined) return;
  const count = (action: Change["action"]) => changes.filter((each) => each.action === action).length;
  const after = size + count("create") - count("delete");
  if (count("create") === 0 || after <= limit.entries) return;
  context.warn(
    `${addressOf(scope, kind, "")} would have ${after} entries, and an instance accepts ${limit.entries}: ` +
      `forgectl ${commandLine(limit.mend(scope))}`,
  );
}

/** What begins with the first entry of a list, and does not end with its last one (links-remove-members). */
export function warnOfEnds(
  context: Context,
  { kind, scope }: Pick<Section, "kind" | "scope">,
  size: number,
  changes: readonly Change[],
): void {
  const { first, last } = kind.ends ?? {};
  const count = (action: Change["action"]) => changes.filter((each) => each.action === action).length;
  const [added, removed] = [count("create"), count("delete")];
  const list = addressOf(scope, kind, "");
  if (first !== undefined && size === 0 && added > 0) context.warn(`${list}: ${first}`);
  if (last !== undefined && removed > 0 && size + added === removed) context.warn(`${list}: ${last}`);
}
