import { dirname } from "node:path";
import { string } from "../api/field.ts";
import { Failure, FileError, UsageError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { commandLine } from "../base/line.ts";
import { holdLock } from "../config/lock.ts";
import type { Context } from "../context.ts";
import type { FileWriter } from "../host.ts";
import { journalFailed } from "./tally.ts";

/** The command and instance of a journal; a journal of another one is refused. */
export interface JournalHead {
  readonly command: string;
  readonly instance: string;
}

interface JournalEntry {
  /** Identifies the item: a tag, a project, a line. */
  readonly id: string;
  readonly event: "plan" | "begin" | "end";
  /** Of an end entry. */
  readonly status?: string;
  /** Further data for a later run; no secrets. */
  readonly facts?: object;
}

/** The flag of every command that keeps a journal. */
export const journalFlag = string("Record completed items in this file, and skip them when run again", {
  placeholder: "file",
  completes: "file",
});

/**
 * A durable record of started and finished items: NDJSON, each line synced before the work
 * continues. One run at a time holds it.
 */
export interface Journal {
  /** The last entry of each item when the journal was opened. */
  readonly seen: ReadonlyMap<string, JournalEntry>;
  /** Records the planned items in one write, for facts that a later run could no longer find out. */
  plan(entries: readonly { id: string; facts: object }[]): Promise<void>;
  begin(id: string, facts?: object): Promise<void>;
  end(id: string, status: string, facts?: object): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens or creates a journal. A journal of another command or instance, or another file, is a UsageError; one that
 * another run holds is a conflict (exit 6). A dry run reads it, and writes nothing.
 */
export async function openJournal(context: Context, path: string, head: JournalHead): Promise<Journal> {
  const { files } = context;
  const folder = dirname(path);
  if ((await files.facts(folder))?.kind !== "folder") throw new UsageError(`the folder ${folder} does not exist`);
  if (context.config.dryRun) return unwritten(await recallJournal(context, path, head));
  const release = await holdLock(context, `${path}.lock`);
  if (release === undefined) {
    throw new Failure("conflict", `${path} is in use by another run`, {
      code: "journal_in_use",
      hint: "wait for it to end, or name another file with --journal",
    });
  }
  try {
    const { seen, whole } = await readJournal(context, path, head);
    // A killed run may have left an incomplete last line, which must not be continued.
    if (whole !== undefined) await files.write(path, whole, { mode: 0o600 });
    const writer = await openOwn(context, path);
    const at = () => context.now().toISOString();
    if (seen === undefined) await writeLines(writer, [{ journal: 1, ...head, at: at() }]);
    // A failed write may leave an incomplete line, with which a later entry would be lost.
    let broken: Failure | undefined;
    const note = async (noted: readonly JournalEntry[]) => {
      if (broken !== undefined) throw broken;
      const lines = noted.map((entry) => ({ ...entry, at: at() }));
      await writeLines(writer, lines).catch((error: unknown) => {
        if (!(error instanceof FileError)) throw error;
        broken ??= error.with({ code: journalFailed });
        throw broken;
      });
    };
    return {
      seen: seen ?? new Map(),
      plan: (entries) => note(entries.map((entry) => ({ ...entry, event: "plan" }))),
      begin: (id, facts) => note([{ id, event: "begin", ...(facts && { facts }) }]),
      end: (id, status, facts) =>
        note([{ id, event: "end", status, ...(facts && { facts }) }]).catch((error: Failure) => {
          throw status === "failed" ? error : error.with({ outcome: "made", retryable: false });
        }),
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

/** Started, and not known to be completed. */
export function isOpen(entry: JournalEntry | undefined): boolean {
  return entry?.event === "begin" || entry?.status === "made";
}

/** In a dry run nothing is recorded. */
function unwritten(seen: ReadonlyMap<string, JournalEntry>): Journal {
  const nothing = async () => undefined;
  return { seen, plan: nothing, begin: nothing, end: nothing, close: nothing };
}

async function openOwn({ files }: Context, path: string): Promise<FileWriter> {
  const writer = await files.openPrivate(path);
  if (writer !== undefined) return writer;
  if ((await files.facts(path)) === undefined) return files.createPrivate(path);
  throw new UsageError(`${path} is a link, or a file that others can read or write`, {
    reason: "a journal must be a private file of this user",
    hint: commandLine(["chmod", "600", path]),
  });
}

async function writeLines(writer: FileWriter, lines: readonly object[]): Promise<void> {
  await writer.write([new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))]);
  await writer.sync();
}

/** Reads a journal without changing it. */
export async function recallJournal(context: Context, path: string, head: JournalHead): Promise<Journal["seen"]> {
  return (await readJournal(context, path, head)).seen ?? new Map();
}

const beginning = '{"journal":1,';

interface ReadJournal {
  /** Undefined if there is no journal yet. */
  seen?: Map<string, JournalEntry>;
  /** The text without an incomplete last line, if there is one. */
  whole?: string;
}

async function readJournal({ files }: Context, path: string, head: JournalHead): Promise<ReadJournal> {
  const facts = await files.facts(path);
  if (facts === undefined) return {};
  if (facts.kind !== "file") throw new UsageError(`${path} is not a file`);
  const text = new TextDecoder().decode(await files.read(path));
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  const cut = whole === text ? {} : { whole };
  const lines = entriesIn(whole);
  const first = lines.next().value;
  // Only a part of the first line: it is discarded only if it is the beginning of a journal.
  if (whole === "" && text.slice(0, beginning.length) === beginning.slice(0, text.length)) return cut;
  if (first?.journal !== 1) throw new UsageError(`${path} is not a journal of this program`);
  for (const name of ["command", "instance"] as const) {
    if (first[name] === head[name]) continue;
    throw new UsageError(`${path} is the journal of another ${name}: ${String(first[name])}`, {
      hint: "name another file with --journal",
    });
  }
  const seen = new Map<string, JournalEntry>();
  let line = 1;
  for (const entry of lines) {
    line += 1;
    if (typeof entry?.id !== "string") throw new UsageError(`${path}: line ${line} is not an entry of a journal`);
    const { id, event, status, facts } = entry as unknown as JournalEntry;
    seen.set(id, { id, event, ...(status !== undefined && { status }), ...(facts !== undefined && { facts }) });
  }
  return { seen, ...cut };
}

/** One after the other: all of a long journal at once would take several times its size. */
function* entriesIn(text: string): Generator<Record<string, unknown> | undefined, undefined> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    yield parseLine(text.slice(from, end));
    from = end + 1;
  }
}

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
