import { createHash } from "node:crypto";
import { UsageError } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import type { Context } from "../../context.ts";
import { refuseUnfit, type Task } from "../../jobs/inner-commands.ts";
import { readUtf8 } from "../../transfer/source.ts";

export interface Line extends Task {
  line: number;
  /** The line's own ID; null if it has none. */
  given: unknown;
  args: string[];
}

interface Lines extends Iterable<Line> {
  /** Whether at least one of them can change something. */
  readonly changes: boolean;
}

/** A line of a batch is a command, not a file. */
const maxBytes = 64 * 1024;

/**
 * The lines of a file or of stdin. A UsageError names the first invalid one. Only the file's bytes are kept in memory:
 * each iteration reads the lines again.
 *
 * @param journaled computes the IDs of the lines in a journal
 */
export async function readLines(
  context: Context,
  input: string,
  { journaled }: { journaled: boolean },
): Promise<Lines> {
  const place = input === "-" ? "stdin" : input;
  const bytes = await readUtf8(context, input);
  const ids: string[] = [];
  let count = 0;
  let changes = false;
  for (const { line, text } of linesOf(bytes)) {
    try {
      const { id, args } = readLine(text);
      const command = await context.commands.parse(args);
      refuseUnfit(command, "batch");
      if (journaled) ids.push(digestOf([id, args, command.impliedScope()]));
      count += 1;
      changes ||= command.changes;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new UsageError(`${place}:${line}: ${error.message}`, { ...error.details, reason: "nothing was sent" });
    }
  }
  if (count === 0) throw new UsageError(`${place} contains no command`);
  return {
    changes,
    *[Symbol.iterator]() {
      let index = 0;
      for (const { line, text } of linesOf(bytes)) {
        const { id, args } = readLine(text);
        yield { line, given: id ?? null, args, id: ids[index++] ?? String(line) };
      }
    },
  };
}

/**
 * The ID of a line in a journal: a hash of its content, not its number, since the file may be changed between two runs.
 */
function digestOf(content: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(content)).digest().toString("hex", 0, 12);
}

/** The lines that are not blank, with their numbers from 1. */
function* linesOf(bytes: Buffer): Generator<{ line: number; text: string }> {
  let line = 0;
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf("\n", from);
    const to = end === -1 ? bytes.length : end;
    const text = bytes.toString("utf8", from, to).trim();
    line += 1;
    if (text !== "") yield { line, text };
    from = to + 1;
  }
}

function readLine(text: string): { id: unknown; args: string[] } {
  const form = 'write {"args": ["users", "me"]}';
  if (text.length > maxBytes) throw new UsageError("the line is longer than 64 KiB");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError("the line is not JSON", { hint: form });
  }
  if (!isObject(value)) throw new UsageError("the line is not an object", { hint: form });
  const { id, args, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new UsageError(`"${unknown}" is not allowed here`, { hint: form });
  if (!Array.isArray(args) || args.length === 0 || !args.every((word) => typeof word === "string")) {
    throw new UsageError('"args" must be a list of texts', { hint: form });
  }
  return { id, args: args as string[] };
}
