import { Failure } from "../base/errors.ts";
import type { Problem } from "./config.ts";

/** Parses a value. An invalid one is an error; for the command that explains problems, it is recorded and not set. */
export type Take = <T>(about: Problem["about"], read: () => T) => T | undefined;

export const strict: Take = (_about, read) => read();

/** Records problems instead of failing. */
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
