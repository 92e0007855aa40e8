import { Failure } from "../base/errors.ts";
import type { Fields } from "./field.ts";

/**
 * Adds the flag to a refusal that names a parameter, if the command line uses another name:
 * `commit_message` is `--message` there.
 */
export function namingFlags(error: unknown, params: Fields): unknown {
  if (!(error instanceof Failure) || error.details.status !== 400 || error.details.hint !== undefined) return error;
  const said = [error.details.reason ?? "", ...Object.keys(error.details.fields ?? {})].join(" ");
  const named = Object.entries(params).flatMap(([name, { flag, wire = name }]) =>
    flag !== undefined && flag !== wire && new RegExp(`(?<![\\w-])${wire}(?![\\w-])`).test(said)
      ? [`${wire} is given with --${flag}`]
      : [],
  );
  if (named.length === 0) return error;
  return error.with({ hint: named.join("; ") });
}
