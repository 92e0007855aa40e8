import { Failure } from "../base/errors.ts";
import type { Problem } from "./types.ts";

/** The value that a text stands for. A wrong one is an error; for the command that explains it, it is noted, and not set. */
export type Take = <T>(about: Problem["about"], read: () => T) => T | undefined;

export const strict: Take = (_about, read) => read();

/** Keeps what is wrong instead of failing for it. */
export function noting(problems: Problem[]): Take {
  return (about, read) => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      problems.push({ about, failure: error });
      return undefined;
    }
  };
}
