import { dirname } from "node:path";
import { Failure, UsageError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { holdLock } from "../config/lock.ts";
import type { Context } from "../context.ts";
import type { FileWriter } from "../host.ts";

/** What a journal is of: with another command or instance it is refused. */
export interface JournalHead {
  readonly command: string;
  readonly instance: string;
}

interface JournalEntry {
  /** What it is about: a tag, a project, a line. */
  readonly id: string;
  readonly event: "begin" | "end";
  /** Of an end. */
  readonly status?: string;
  /** More that a later run needs to know; no secrets. */
  readonly facts?: object;
}

/**
 * What was begun and what was ended, in a file that survives a killed process: NDJSON, each line synced before the work
 * goes on. One run at a time holds it.
 */
export interface Journal {
  /** The last entry of each thing. */
  readonly seen: ReadonlyMap<string, JournalEntry>;
  begin(id: string, facts?: object): Promise<void>;
  end(id: string, status: string, facts?: object): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a journal, or begins one. One of another command or instance, or a file that is none, is a UsageError; one that
 * another run holds is a conflict (exit 6). A dry run reads it, and writes nothing.
 */
export async function openJournal(context: Context, path: string, head: JournalHead): Promise<Journal> {
  const { files } = context;
  const folder = dirname(path);
  if ((await files.facts(folder))?.kind !== "folder") throw new UsageError(`the folder ${folder} does not exist`);
  if (context.config.dryRun) return unwritten((await readJournal(context, path, head)) ?? new Map());
  const release = await holdLock(context, `${path}.lock`);
  if (release === undefined) {
    throw new Failure("conflict", `${path} is in use by another run`, {
      code: "journal_in_use",
      hint: "wait for it to end, or name another file with --journal",
    });
  }
  try {
    const seen = await readJournal(context, path, head);
    const writer = (await files.openPrivate(path)) ?? (await files.createPrivate(path));
    const entries = new Map(seen ?? []);
    if (seen === undefined) await writeLine(writer, { journal: 1, ...head, at: context.now().toISOString() });
    const note = async (entry: JournalEntry) => {
      entries.set(entry.id, entry);
      await writeLine(writer, { ...entry, at: context.now().toISOString() });
    };
    return {
      seen: entries,
      begin: (id, facts) => note({ id, event: "begin", ...(facts && { facts }) }),
      end: (id, status, facts) => note({ id, event: "end", status, ...(facts && { facts }) }),
      close: async () => {
        await writer.close();
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** What a dry run begins and ends is not noted. */
function unwritten(seen: ReadonlyMap<string, JournalEntry>): Journal {
  const nothing = async () => undefined;
  return { seen, begin: nothing, end: nothing, close: nothing };
}

async function writeLine(writer: FileWriter, line: object): Promise<void> {
  await writer.write([new TextEncoder().encode(`${JSON.stringify(line)}\n`)]);
  await writer.sync();
}

/** The entries of a journal; undefined where there is none yet. A last line that a kill cut off is left out. */
async function readJournal(
  context: Context,
  path: string,
  head: JournalHead,
): Promise<Map<string, JournalEntry> | undefined> {
  const { files } = context;
  const facts = await files.facts(path);
  if (facts === undefined || facts.size === 0) return undefined;
  if (facts.kind !== "file") throw new UsageError(`${path} is not a file`);
  const text = new TextDecoder().decode(await files.read(path));
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  // A kill may have cut the last line off; what comes next must not go on in the middle of it.
  if (whole !== text && !context.config.dryRun) await files.write(path, whole, { mode: 0o600 });
  const parsed = whole.split("\n").slice(0, -1).map(parseLine);
  if (parsed.length === 0) return undefined;
  const first = parsed[0];
  if (first?.journal !== 1) throw new UsageError(`${path} is not a journal of this program`);
  for (const name of ["command", "instance"] as const) {
    if (first[name] === head[name]) continue;
    throw new UsageError(`${path} is the journal of another ${name}: ${String(first[name])}`, {
      hint: "name another file with --journal",
    });
  }
  const seen = new Map<string, JournalEntry>();
  for (const [index, entry] of parsed.slice(1).entries()) {
    if (typeof entry?.id !== "string") throw new UsageError(`${path}: line ${index + 2} is not an entry of a journal`);
    seen.set(entry.id, entry as unknown as JournalEntry);
  }
  return seen;
}

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
