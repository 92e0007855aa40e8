import { jsonProblem } from "../../api/answers.ts";
import { parseAnswer, roundsNumbers } from "../../api/json.ts";
import { Failure } from "../../base/errors.ts";
import type { Context } from "../../context.ts";

/** Throws a Failure for what is not JSON. */
export function parsed(bytes: Buffer): unknown {
  try {
    return parseAnswer(bytes);
  } catch (error) {
    throw strange(jsonProblem(error));
  }
}

export function strange(problem: string): Failure {
  return new Failure("refused", problem, { code: "unexpected_answer" });
}

export function warnIfRounded(context: Context, bytes: Buffer): void {
  const rounding = "--jq, -o, --paginate, and most programs that read JSON round them";
  if (roundsNumbers(bytes)) context.warn(`the answer has whole numbers that are too large to be exact: ${rounding}`);
}
