import { type Failure, type FailureDetails, UsageError } from "../base/errors.ts";
import type { Config } from "../config/config.ts";
import { onSameInstance } from "../verbs/instance-flags.ts";

/** A failure whose suggested commands reach the instance of this run. */
export function withInstance(config: Config, error: Failure): Failure {
  const { hint } = error.details;
  const own = hint === undefined ? undefined : onSameInstance(config, hint);
  if (own === undefined || own === hint) return error;
  const details: FailureDetails = { ...error.details, hint: own };
  return error instanceof UsageError ? new UsageError(error.message, details) : error.with({ hint: own });
}
