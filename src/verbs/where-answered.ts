import { Failure } from "../base/errors.ts";

/** What the API documents do not have: an instance may lack it, or keep it from this token. */
export async function whereAnswered<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Failure) || error.exit === "interrupted") throw error;
    return undefined;
  }
}
