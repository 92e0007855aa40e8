import { Failure } from "../base/errors.ts";
import { canBeSent } from "./dependencies.ts";

type Values = Readonly<Record<string, unknown>>;

/**
 * What must be in the same request although no document says so: the settings that a refusal names as missing, as they
 * are shown. Undefined if it says something else, too, or one of them is not shown.
 */
export function missingBy(refusal: unknown, sent: Values, current: Values): Values | undefined {
  const names = namesIn(refusal);
  const isShown = names.every((name) => !Object.hasOwn(sent, name) && canBeSent(name, current));
  return names.length > 0 && isShown ? Object.fromEntries(names.map((name) => [name, current[name]])) : undefined;
}

function namesIn(refusal: unknown): string[] {
  if (!(refusal instanceof Failure) || refusal.details.status !== 400) return [];
  const names = (refusal.details.reason ?? "").split(", ").map((part) => /^(\w+) is missing$/.exec(part)?.[1]);
  return names.includes(undefined) ? [] : (names as string[]);
}

/** The notice of these. */
export function alongText(missing: Values): string {
  return `sent along as they were read, since the instance requires them: ${Object.keys(missing).join(", ")}`;
}
