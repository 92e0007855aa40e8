import { Failure } from "../base/errors.ts";
import { holdsMask } from "../base/secrets.ts";
import { canBeSent } from "./dependencies.ts";
import { areOneSetting } from "./other-names.ts";
import { keysGivenAsParts, partIn } from "./parts.ts";

type Values = Readonly<Record<string, unknown>>;

/**
 * What must be in the same request although no document says so: the settings that a refusal names as missing, as they
 * are shown. Undefined if it says something else, too, or one of them is not shown as a whole, or is given otherwise:
 * under another name, as a part of an object, or as an object that it is a part of.
 */
export function missingBy(refusal: unknown, sent: Values, current: Values): Values | undefined {
  const names = missingIn(refusal);
  const given = Object.keys(sent);
  const isGiven = (name: string) =>
    given.some((each) => each === name || areOneSetting(each, name)) ||
    Object.keys(keysGivenAsParts(name, sent)).length > 0 ||
    partIn(name, sent) !== undefined;
  const isShown = names.every((name) => canBeSent(name, current) && !holdsMask(current[name]) && !isGiven(name));
  return names.length > 0 && isShown ? Object.fromEntries(names.map((name) => [name, current[name]])) : undefined;
}

/** The settings that a refusal names as missing; none if it says something else, too. */
export function missingIn(refusal: unknown): string[] {
  if (!(refusal instanceof Failure) || refusal.details.status !== 400) return [];
  const names = (refusal.details.reason ?? "").split(", ").map((part) => /^(\w+) is missing$/.exec(part)?.[1]);
  return names.includes(undefined) ? [] : (names as string[]);
}

/** The notice of these. */
export function alongText(missing: Values): string {
  return `sent along as they were read, since the instance requires them: ${Object.keys(missing).join(", ")}`;
}
