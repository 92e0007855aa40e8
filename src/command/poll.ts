import { integer } from "../api/field.ts";
import type { Context } from "../context.ts";
import { Failure } from "../errors.ts";

export interface Wait<T> {
  /** What is waited for, shown while waiting: "exporting group acme". */
  label: string;
  /** Looks once; undefined means not yet. A string is shown as how far it is. */
  look(): Promise<{ done: T } | { progress?: string } | undefined>;
  /** How to go on when time runs out: a command line without the program's name. */
  resume: string;
  /** Seconds to wait at most. */
  limitSeconds: number;
}

/** `--wait-timeout`, as every command has it that can wait. */
export function waitTimeout(defaultSeconds: number, description = "Seconds to wait at most") {
  return integer(description, { placeholder: "seconds", min: 1, default: defaultSeconds });
}

const firstPauseMs = 500;
const longestPauseMs = 10_000;

/** Looks again and again, with growing pauses, until it is done; gives up with exit 8 and the command to go on. */
export async function waitFor<T>(context: Context, wait: Wait<T>): Promise<T> {
  const task = context.progress.start(wait.label);
  const end = context.now().getTime() + wait.limitSeconds * 1000;
  let pause = firstPauseMs;
  try {
    while (true) {
      const seen = await wait.look();
      if (seen !== undefined && "done" in seen) return seen.done;
      if (seen?.progress !== undefined) task.update(0, { label: `${wait.label}: ${seen.progress}` });
      const left = end - context.now().getTime();
      if (left <= 0) throw timedOut(wait);
      await context.sleep(Math.min(pause, left));
      pause = Math.min(pause * 1.5, longestPauseMs);
    }
  } finally {
    task.stop();
  }
}

function timedOut<T>(wait: Wait<T>): Failure {
  const time = `${wait.limitSeconds} ${wait.limitSeconds === 1 ? "second" : "seconds"}`;
  return new Failure("notReady", `not ready after ${time} (${wait.label})`, {
    hint: `forgectl ${wait.resume}`,
    retryable: true,
  });
}
