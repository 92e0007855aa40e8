import { shownMaskText } from "../../base/masked.ts";
import { isMasked } from "../../base/secrets.ts";
import type { Origin } from "../finding.ts";
import type { StateField } from "../kind.ts";
import type { Tree } from "../yaml/tree.ts";
import type { Spot } from "./spot.ts";

/** Whether a value is null where null is none: it counts as left out. */
export function isNullFor(tree: Tree, field: StateField): boolean {
  return tree.kind === "scalar" && tree.value === null && !takesNull(field);
}

function takesNull({ form, required, nullable, writeOnly }: StateField): boolean {
  if (writeOnly) return false;
  return required === true || nullable === true || form === "text" || form === "addresses";
}

/**
 * Answers contain null for values that are not set. A list of an entry is never one of them: all of its items were
 * commented out, and an operator who did that does not expect that those of the instance stay. Nor is a secret of an
 * entry.
 */
export function reportUnset(field: StateField, origin: Origin, spot: Spot): void {
  const empty = lists.has(field.form) ? "[] for an empty list" : field.writeOnly ? none : undefined;
  report("is null", origin, { ...spot, strict: spot.strict || empty !== undefined }, empty ?? "a value");
}

/**
 * Whether a secret of the settings is as in answers, which is reported: null if it was never set, or what is shown in
 * its place. It counts as left out, as it must not be sent.
 */
export function isAsAnswered(tree: Tree, field: StateField, origin: Origin, spot: Spot): boolean {
  if (!field.writeOnly || tree.kind !== "scalar") return false;
  const isMask = isMasked(tree.value);
  if (tree.value !== null && !isMask) return false;
  report(isMask ? shownMaskText : "is null", origin, spot, none);
  return true;
}

function report(what: string, origin: Origin, { findings, path, strict }: Spot, instead: string): void {
  const hint = `write ${instead}, or leave it out`;
  if (strict) findings.error(origin, path, what, hint);
  else findings.warn(origin, path, `${what}, and counts as left out`, hint);
}

const none = '"" for none';
const lists = new Set<StateField["form"]>(["rules", "keys", "names", "domains", "list"]);
