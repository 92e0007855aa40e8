import { Failure } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { waitFor } from "../../verbs/poll.ts";
import type { Change } from "../kind.ts";
import type { Result } from "./result.ts";

interface How {
  /** Undefined: it is not waited for. */
  readonly waitSeconds: number | undefined;
  isShown(): Promise<boolean>;
}

/** Polls until a read shows a change that was made. */
export async function untilEffective(
  context: Context,
  { kind, write }: Change,
  result: Result,
  { waitSeconds, isShown }: How,
): Promise<Result> {
  if (result.status !== "done" || waitSeconds === undefined) return result;
  try {
    await waitFor(context, {
      label: `waiting for ${kind.name} to take effect`,
      limitSeconds: waitSeconds,
      resume: commandLine([...(kind.cached?.command ?? []), ...write]),
      check: async () => ((await isShown()) ? { done: true } : undefined),
    });
    return result;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...result, error: `made; ${error.message}`, failure: error };
  }
}
