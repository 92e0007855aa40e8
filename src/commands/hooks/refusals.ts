import { Failure } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { HookPlace } from "./deliveries.ts";

/**
 * What instances answer with 422 if they send nothing, and what helps; every other text is the receiver's, or that of
 * the connection to it.
 */
const refusals: readonly (readonly [text: RegExp, hint: (place: HookPlace) => string])[] = [
  [
    /\bHook disabled\b/i,
    (place) => `a successful test delivery enables it again: ${forHook(["test"], place, ["--trigger", "push"])}`,
  ],
  [
    /\bSilent mode enabled\b/i,
    () => "an administrator can turn it off: forgectl settings set silent_mode_enabled=false",
  ],
  [
    /\bRecursive webhook blocked\b/i,
    () => "the event was caused by a webhook itself; instances send no more of them, to avoid a loop",
  ],
  [/\bhook URL has changed\b/i, () => "it was sent to another URL than the present one; instances do not resend it"],
];

/** A 422 for which the instance sent nothing, with a hint; undefined for any other error. */
export function refusalOf(error: unknown, place: HookPlace): Failure | undefined {
  if (!is422(error)) return undefined;
  const { reason = "" } = error.details;
  const [, hint] = refusals.find(([text]) => text.test(reason)) ?? [];
  return hint && error.with({ hint: hint(place) });
}

/** A resend that failed with 422: it was not sent, or it was sent and recorded, and the receiver did not answer. */
export function resendFailure(error: unknown, place: HookPlace): unknown {
  const refused = refusalOf(error, place);
  if (refused !== undefined || !is422(error)) return refused ?? error;
  const said = (error.details.reason ?? "").replace(/^The event was not delivered: /, "");
  return error.with({
    message: "the receiver did not answer",
    code: "not_delivered",
    reason: /^no answer|did not answer/.test(said) ? said : `the receiver did not answer: ${said}`,
    hint: `the new delivery, with its status: ${forHook(["events"], place, [])}`,
  });
}

function is422(error: unknown): error is Failure {
  return error instanceof Failure && error.details.status === 422;
}

function forHook(words: readonly string[], { group, hook_id }: HookPlace, more: readonly string[]): string {
  return `forgectl ${commandLine(["hooks", ...words, String(hook_id), "-g", group, ...more])}`;
}
