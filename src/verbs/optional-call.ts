import { Failure } from "../base/errors.ts";

/**
 * For undocumented endpoints: undefined if the request fails, since an instance may lack it or deny it to this token.
 */
export async function unlessRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Failure) || error.exit === "interrupted") throw error;
    return undefined;
  }
}
