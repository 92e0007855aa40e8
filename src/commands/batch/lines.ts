import { createHash } from "node:crypto";
import { CostlyJson, parseAnswer } from "../../api/json.ts";
import { UsageError } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { pauses } from "../../base/next-turn.ts";
import { pathKey } from "../../base/path-key.ts";
import { isSpecial } from "../../base/special-file.ts";
import { halfCharacter } from "../../base/unicode.ts";
import type { Context, InnerCommand } from "../../context.ts";
import { isInShard, type Shard } from "../../jobs/shard.ts";
import type { NamedId, Task } from "../../jobs/task-ids.ts";
import { refuseUnfit } from "../../jobs/unfit-commands.ts";
import { scopeIds } from "../../verbs/scope-ids.ts";

export interface Line extends Task {
  line: number;
  /** The line's own ID; null if it has none. */
  given: unknown;
  args: string[];
}

/** The lines of a batch, which each iteration reads again, and what they do as a whole. */
export interface Lines extends Iterable<Line> {
  /** Whether at least one of them can change something. */
  readonly changes: boolean;
  /** Whether the exit code of at least one of them says whether something was found. */
  readonly finds: boolean;
  /** Whether at least one of them writes a file or a folder. */
  readonly writes: boolean;
  /** The projects and groups that lines have from the environment or the profile. */
  readonly defaults: string | undefined;
  /** A line uses the container registry itself. */
  readonly registry: boolean;
  /** Whether one of them has a secret among its words. */
  readonly secret: boolean;
  /** The files that they read. */
  readonly reads: readonly string[];
  /** What the names of projects and groups lead to, in the lines of all shards that change something. */
  readonly names: readonly NamedId[];
}

/** A line of a batch is a command, not a file. */
const maxBytes = 64 * 1024;

/**
 * The lines in a text; a UsageError names the first invalid one. Only the text's bytes are kept in memory. A line that
 * changes something is identified by what it does, its own ID, and the ID of its project or group: not by its number,
 * since the file may be changed between two runs.
 *
 * @param shard all lines are checked, and only its own are run: by what identifies a line, or by its text
 * @param place names the source in errors
 */
export async function readLines(
  context: Context,
  bytes: Buffer,
  { place, shard }: { place: string; shard: Shard | undefined },
): Promise<Lines> {
  const changing: { digest: string; scope: string }[] = [];
  const recorded: boolean[] = [];
  const reads = new Set<string>();
  const written = new Map<string, number>();
  let secret = false;
  let finds = false;
  let writes = false;
  let registry = false;
  const defaults = new Set<string>();
  const pause = pauses(context);
  for (const { line, text } of linesOf(bytes)) {
    await pause();
    try {
      const { id, args } = readLine(text);
      const command = await context.commands.parse(args);
      refuseUnfit(command, "batch");
      refuseShared(command, { line, written });
      // What is not shown, such as the password in an address, is not stored either.
      secret ||= command.secrets.length > 0 || args.some((word) => context.redact(word) !== word);
      finds ||= command.finds;
      writes ||= Object.keys(command.outputs).length > 0 || command.reports.length > 0;
      registry ||= command.registry;
      for (const path of command.reads) reads.add(path);
      recorded.push(command.changes);
      if (!command.changes) continue;
      const scope = scopeOf(command);
      changing.push({ digest: digestOf([id, command.path, command.rest]), scope });
      if (scope !== "" && command.typedScopes.length === 0) defaults.add(scope);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new UsageError(`${place}:${line}: ${error.message}`, { ...error.details, nothing: "sent" });
    }
  }
  if (recorded.length === 0) throw new UsageError(`${place} contains no command`);
  const ids = await scopeIds(context, new Set(changing.map(({ scope }) => scope)), shard !== undefined);
  return {
    changes: changing.length > 0,
    finds,
    writes,
    registry,
    defaults: defaults.size === 0 ? undefined : [...defaults].sort().join(" and "),
    secret,
    reads: [...reads],
    names: Array.from(ids, ([named, id]) => ({ id, named })),
    *[Symbol.iterator]() {
      let index = 0;
      let next = 0;
      for (const { line, text } of linesOf(bytes)) {
        const { id, args } = readLine(text);
        const own = recorded[index++] ? changing[next++] : undefined;
        const task = own && `${own.digest}:${ids.get(own.scope) ?? own.scope}`;
        const named = own && `${own.digest}:${own.scope}`;
        if (isInShard(shard, task ?? text)) yield { line, given: id ?? null, args, id: task, named };
      }
    },
  };
}

/** Lines run concurrently: of two that write one file, either may be all that is left. */
function refuseShared({ replaces }: InnerCommand, { line, written }: { line: number; written: Map<string, number> }) {
  for (const path of replaces.filter((each) => !isSpecial(each))) {
    const other = written.get(pathKey(path));
    if (other !== undefined) {
      throw new UsageError(`line ${other} writes the same file: ${path}`, { code: "shared_output" });
    }
    written.set(pathKey(path), line);
  }
}

function scopeOf({ scope }: InnerCommand): string {
  const { project, group } = scope();
  if (project !== undefined) return `project ${project}`;
  return group === undefined ? "" : `group ${group}`;
}

function digestOf(content: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(content)).digest().toString("hex", 0, 12);
}

/** The lines that are not blank, with their numbers from 1. */
function* linesOf(bytes: Buffer): Generator<{ line: number; text: string }> {
  let line = 1;
  for (let from = 0; from < bytes.length; ) {
    const byte = bytes[from] as number;
    // Without this, a file of blank lines would take seconds in one turn.
    if (isBlank(byte)) {
      if (byte === lineFeed) line += 1;
      from += 1;
      continue;
    }
    const end = bytes.indexOf(lineFeed, from);
    const to = end === -1 ? bytes.length : end;
    const text = bytes.toString("utf8", from, to).trim();
    if (text !== "") yield { line, text };
    from = to;
  }
}

const lineFeed = 0x0a;

/** Space, Tab, and the ends of lines. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === lineFeed;
}

function readLine(text: string): { id: unknown; args: string[] } {
  const form = 'write {"args": ["users", "me"]}';
  if (text.length > maxBytes) throw new UsageError("the line is longer than 64 KiB");
  let value: unknown;
  try {
    value = parseAnswer(Buffer.from(text));
  } catch (error) {
    if (error instanceof CostlyJson) throw new UsageError(error.message.replace("it is", "the line is"));
    throw new UsageError("the line is not JSON", { hint: form });
  }
  if (!isObject(value)) throw new UsageError("the line is not an object", { hint: form });
  const { id, args, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new UsageError(`"${unknown}" is not allowed here`, { hint: form });
  if (typeof id === "number" && Number.isInteger(id) && !Number.isSafeInteger(id)) {
    throw new UsageError('"id" is a number that is not kept exactly', { hint: "write it in quotes" });
  }
  if (!Array.isArray(args) || args.length === 0 || !args.every((word) => typeof word === "string")) {
    throw new UsageError('"args" must be a list of texts', { hint: form });
  }
  const words = args as string[];
  const at = words.findIndex((word) => !word.isWellFormed());
  if (at >= 0) throw new UsageError(`"args", word ${at + 1}: ${halfCharacter}`);
  return { id, args: words };
}
