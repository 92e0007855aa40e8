import { type Failure, type FailureDetails, UsageError } from "../base/errors.ts";
import type { Config } from "../config/config.ts";
import { typedInstanceFlags } from "../verbs/instance-flags.ts";

/** Quoted text, which may contain anything, or the program's name before a command: not in "another forgectl runs". */
const quotedOrProgram = /\\.|'[^']*'|"[^"]*"|(?<!other )\bforgectl(?= [a-z])/g;

/**
 * The flags with which this instance was selected, in each command that a text suggests: pasted without them, a command
 * would change or read the instance of the current profile.
 */
export function onSameInstance(config: Config, text: string): string {
  const flags = typedInstanceFlags(config);
  return flags === "" ? text : text.replace(quotedOrProgram, (found) => (found === "forgectl" ? found + flags : found));
}

/** The same for what a failure suggests. */
export function withInstance(config: Config, error: Failure): Failure {
  const { hint } = error.details;
  const own = hint === undefined ? undefined : onSameInstance(config, hint);
  if (own === undefined || own === hint) return error;
  const details: FailureDetails = { ...error.details, hint: own };
  return error instanceof UsageError ? new UsageError(error.message, details) : error.with({ hint: own });
}
