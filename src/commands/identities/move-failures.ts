import { Failure, reasonIn } from "../../base/errors.ts";
import type { Move } from "./remap-plan.ts";

// Why a move was not made, or not as it was sent.

/** The instance finds the user by the new UID, and shows another: it may have changed its case. */
export function stored(sent: string, shown: string): Failure {
  return new Failure("partial", "the instance stored another UID", {
    code: "altered",
    reason: `sent extern_uid ${sent}, the instance stored ${shown}`,
    fields: { extern_uid: [`sent ${sent}, stored ${shown}`] },
    outcome: "altered",
    retryable: false,
  });
}

export function waitsFor({ pair }: Move): Failure {
  return new Failure("refused", `not tried: ${pair.old} could not get the UID ${pair.new}`, { outcome: "none" });
}

export function rolledBack({ pair }: Move, error: unknown): Failure {
  return new Failure("refused", `not changed: ${pair.old} could not get the UID ${pair.new}: ${reasonIn(error)}`, {
    outcome: "none",
  });
}

/** The UID that the identity was given, and may still have, since the earlier one could not be restored. */
export function left(uid: string, { pair }: Move, error: unknown): Failure {
  const why = `${pair.old} could not get the UID ${pair.new}: ${reasonIn(error)}`;
  return new Failure("partial", `it may have the UID ${uid}: ${why}`, { outcome: "unknown", retryable: false });
}
