import type { Fields } from "../api/field.ts";
import { isChange, wasMade } from "../api/outcome.ts";
import { type Failure, UsageError } from "../base/errors.ts";
import { commandLine } from "../base/shell-words.ts";
import { filledLine } from "../base/template.ts";
import type { Command, Group } from "../declare/command.ts";
import { childNamed, describeFlags, leadFrom } from "../declare/describe.ts";

/**
 * Adds to an error what is known of the changes before it, so that a failure after a successful change does not look as
 * if nothing had been changed.
 *
 * @param made the changes that the instance accepted, with method and path
 * @param hint how to check the outcome of a change
 * @param lost the changes of which no answer says whether they were made
 */
export function withOutcome(
  error: Failure,
  made: readonly string[],
  hint: string,
  lost: readonly string[] = [],
): Failure {
  const { details, exit } = error;
  const isOfOutput = error instanceof UsageError || details.code === "output_failed";
  if (isOfOutput && lost.length > 0) return withHint(withLost(error, made, lost), hint);
  if (error instanceof UsageError) return withMade(error, made);
  if (details.outcome === "none") return error;
  if (details.outcome !== undefined) return withHint(error, hint);
  // A bulk verb has reported each item's outcome, also one that was interrupted, or the changes that it made.
  const isInterrupted = exit === "interrupted" && (details.code === "interrupted" || details.outcomeText !== undefined);
  if (made.length === 0 || exit === "partial" || isInterrupted) return error;
  if (details.code === "output_failed") return withHint(withMade(error, made), hint);
  if (details.method === undefined) return withMade(error, made);
  const [last = ""] = made.slice(-1);
  if (isChange(details.method))
    return copy(error, error.message, { outcomeText: `before it, another change was made: ${last}`, retryable: false });
  const after = copy(error, `${wasMade} (${last}), but then: ${error.message}`, { outcome: "made", retryable: false });
  return withHint(after, hint);
}

/** The result of a change does not fit a flag, such as `--jq`, or could not be written. */
function withMade(error: Failure, made: readonly string[]): Failure {
  if (made.length === 0) return error;
  const { outcomeText = `${wasMade}: ${firstOf(made)}` } = error.details;
  return copy(error, error.message, { outcomeText, outcome: "made" });
}

/** The same of changes without an answer: rows that say so may be what a `--jq` fails on. */
function withLost(error: Failure, made: readonly string[], lost: readonly string[]): Failure {
  const words = made.length === 0 ? "the change" : `${wasMade}: ${firstOf(made)}; another one`;
  const { outcomeText = `${words} may have been made: ${firstOf(lost)}` } = error.details;
  return copy(error, error.message, { outcomeText, outcome: "unknown", retryable: false });
}

function firstOf([first, ...others]: readonly string[]): string {
  return `${first}${others.length === 0 ? "" : ` (and ${others.length} more)`}`;
}

function withHint(error: Failure, hint: string): Failure {
  return error.details.hint === undefined ? copy(error, error.message, { hint }) : error;
}

function copy(error: Failure, message: string, more: Failure["details"]): Failure {
  // Exit 2 means that nothing was sent: after a change, a flag or a file that is wrong is a different failure.
  const after = error.with({ ...more, message, exit: error.exit === "usage" ? "refused" : error.exit });
  delete after.details.nothing;
  return after;
}

/** Commands that show one thing come before those that list all. */
const readingVerbs = ["get", "show", "status", "stat", "list"];

/**
 * The command that shows the outcome of a change: a sibling that only reads and whose arguments can be filled in from
 * what was typed. Without the program's name; undefined if there is none.
 *
 * @param path the words of the command that changed something
 */
export function inspectLine(root: Command | Group, path: readonly string[], input: object): string | undefined {
  const above = path.slice(0, -1);
  const { node, count } = leadFrom(root, above.slice(1));
  if (count < above.length - 1) return undefined;
  const own = childNamed(node, path.at(-1));
  if (own?.kind === "command" && own.inspectWith !== undefined)
    return filled(own.inspectWith, input as Record<string, unknown>);
  for (const name of readingVerbs) {
    const sibling = childNamed(node, name);
    if (sibling?.kind !== "command" || sibling.requests.some(({ method }) => isChange(method))) continue;
    const words = wordsFor(sibling, input as Record<string, unknown>);
    if (words !== undefined) return commandLine([...above, name, ...words]);
  }
  return undefined;
}

/** A line with its braces filled in, encoded for use in a URL if necessary; undefined if a value is missing. */
function filled(line: string, input: Readonly<Record<string, unknown>>): string | undefined {
  return filledLine(line, (name) => input[name], line.startsWith("api ") ? encodeURIComponent : undefined);
}

/** The required arguments and flags of a command, from what was typed; undefined if one is missing. */
function wordsFor({ args, params }: Command, input: Readonly<Record<string, unknown>>): string[] | undefined {
  const known = (name: string) => ["string", "number"].includes(typeof input[name]);
  const needed = requiredIn(args);
  if (![...needed, ...requiredIn(params)].every(known)) return undefined;
  const flags = describeFlags(params).filter(
    ({ name, field }) => known(name) && (field.required || field.scope !== undefined || field.within !== undefined),
  );
  return [
    ...needed.map((name) => String(input[name])),
    ...flags.flatMap(({ name, short, long }) => [short ?? long, String(input[name])]),
  ];
}

function requiredIn(fields: Fields): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.required === true);
}
