import { string } from "../api/field.ts";
import { Failure, FileError, UsageError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { readObject } from "../base/read-value.ts";
import { heldBy, holdLock } from "../config/lock.ts";
import { openOwnFile } from "../config/own-file.ts";
import type { Context } from "../context.ts";
import type { FileWriter, PrivateFile } from "../host.ts";
import { journalFailed } from "./tally.ts";

/** What a journal belongs to; a journal of anything else is refused. */
export interface JournalHead {
  readonly command: string;
  /** The same as a version wrote it that hid fewer secrets, or named a group as it was typed. It is not written. */
  readonly earlier?: string | undefined;
  readonly instance: string;
  /** ID of the token's user; not known of a job token. */
  readonly caller?: number | undefined;
  /** Of a command that uses the container registry, its address. */
  readonly registry?: string | undefined;
  /** The projects or groups that nothing in the command or its tasks names: the environment's or the profile's. */
  readonly defaults?: string | undefined;
  /** The IDs of a run on several instances, by profile. */
  readonly callers?: Readonly<Record<string, number>> | undefined;
  /** SHA-256 of the files that the command reads, by name. */
  readonly inputs?: Readonly<Record<string, string>> | undefined;
}

interface JournalEntry {
  /** Identifies the item: a tag, a project, a line. */
  readonly id: string;
  readonly event: "plan" | "begin" | "end";
  /** Of an end entry. */
  readonly status?: string;
  /** Further data for a later run; no secrets. */
  readonly facts?: object;
  /** When it was recorded, ISO 8601. */
  readonly at?: string;
}

/** The flag of every command that keeps a journal. */
export const journalFlag = string("Record the work in this file, to complete the rest when run again", {
  placeholder: "file",
  completes: "file",
  writes: "appended",
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
  if (context.config.dryRun) return unwritten(await recallJournal(context, path, head));
  const release = await holdLock(context, `${path}.lock`);
  if (release === undefined) {
    throw new Failure("conflict", `${path} is in use by another run`, {
      code: "journal_in_use",
      reason: heldBy(`${path}.lock`),
      hint: "wait for it to end, or name another file with --journal",
    });
  }
  try {
    const writer = (await openOwnFile(files, path, subject)) ?? (await files.createPrivate(path));
    const { seen, size } = await wholeOf(writer)
      .then((bytes) => readJournal(path, bytes, head))
      .catch(async (error: unknown) => {
        await writer.close();
        throw error;
      });
    // A killed run may have left an incomplete last line, which must not be continued.
    if (size < writer.size) await writer.truncate(size);
    const at = () => context.now().toISOString();
    const { earlier: _, ...written } = head;
    if (seen === undefined) await writeLines(writer, [{ journal: version, ...written, at: at() }]);
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

async function wholeOf(file: PrivateFile): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.stream()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function writeLines(writer: FileWriter, lines: readonly object[]): Promise<void> {
  await writer.write([new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))]);
  await writer.sync();
}

/** Reads a journal without changing it. */
export async function recallJournal(context: Context, path: string, head: JournalHead): Promise<Journal["seen"]> {
  const file = await openOwnFile(context.files, path, subject);
  if (file === undefined) return new Map();
  try {
    return (await readJournal(path, await wholeOf(file), head)).seen ?? new Map();
  } finally {
    await file.close();
  }
}

const subject = "a journal";
const version = 2;
const beginning = `{"journal":${version},`;

interface ReadJournal {
  /** Undefined if the journal is empty. */
  seen?: Map<string, JournalEntry>;
  /** Bytes without an incomplete last line. */
  size: number;
}

async function readJournal(path: string, bytes: Buffer, head: JournalHead): Promise<ReadJournal> {
  // In bytes: what is not UTF-8 has another length as text.
  const size = bytes.lastIndexOf("\n") + 1;
  // Only a part of the first line: it is discarded only if it is the beginning of a journal.
  if (size === 0 && beginning.startsWith(bytes.toString("utf8", 0, beginning.length))) return { size };
  const lines = entriesIn(bytes.subarray(0, size));
  const first = lines.next().value;
  if (typeof first?.journal !== "number") throw new UsageError(`${path} is not a journal of this program`);
  if (first.journal !== version) {
    throw new UsageError(`${path} is a journal of another version of this program`, {
      reason: "it names its items in another way, so what is done is not known",
      hint: "name another file with --journal",
    });
  }
  refuseOther(path, first, head);
  const seen = new Map<string, JournalEntry>();
  let line = 1;
  for (const entry of lines) {
    line += 1;
    if (!isEntry(entry)) throw new UsageError(`${path}: line ${line} is not an entry of a journal`);
    const { id, event, status, facts, at } = entry;
    seen.set(id, {
      ...{ id, event },
      ...(status !== undefined && { status }),
      ...(facts !== undefined && { facts }),
      ...(at !== undefined && { at }),
    });
  }
  return { seen, size };
}

/** A journal says what was done by one command, by one user, with files of one content, on one instance. */
function refuseOther(path: string, first: Record<string, unknown>, head: JournalHead): void {
  const other = (what: string, hint = "name another file with --journal") =>
    new UsageError(`${path} is the journal of another run: ${what}`, { hint });
  const isSame = {
    command: [head.command, head.earlier].includes(first.command as string),
    instance: first.instance === head.instance,
  };
  for (const name of ["command", "instance"] as const) {
    if (!isSame[name]) throw other(`of the ${name} ${String(first[name])}`);
  }
  if (first.registry !== undefined && first.registry !== head.registry) {
    throw other(`of the registry ${String(first.registry)}`);
  }
  if (first.defaults !== undefined && first.defaults !== head.defaults) {
    throw other(`of ${String(first.defaults)}`, "set that as FORGECTL_PROJECT or FORGECTL_GROUP, or in the profile");
  }
  if (first.caller !== undefined && head.caller !== undefined && first.caller !== head.caller) {
    throw other(`of user ${String(first.caller)}`);
  }
  const callers = isObject(first.callers) ? first.callers : {};
  for (const [profile, caller] of Object.entries(head.callers ?? {})) {
    const earlier = callers[profile] ?? caller;
    if (earlier !== caller) throw other(`of user ${String(earlier)} of profile ${profile}`);
  }
  const before = isObject(first.inputs) ? first.inputs : {};
  const now: Readonly<Record<string, unknown>> = head.inputs ?? {};
  const changed = [...new Set([...Object.keys(before), ...Object.keys(now)])].find(
    (name) => before[name] !== now[name],
  );
  if (changed === "-") throw other("stdin had other content", "send the same on stdin");
  if (changed !== undefined) throw other(`${changed} had other content`);
}

/** One after the other: all of a long journal at once would take several times its size. */
function* entriesIn(bytes: Buffer): Generator<Record<string, unknown> | undefined, undefined> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf("\n", from);
    yield readObject(bytes.toString("utf8", from, end));
    from = end + 1;
  }
}

const events: readonly unknown[] = ["plan", "begin", "end"];

/** What this program writes: only an end has a status. */
function isEntry(entry: unknown): entry is JournalEntry {
  if (!isObject(entry)) return false;
  const { id, event, status, facts, at } = entry;
  const hasStatus = event === "end" ? typeof status === "string" : status === undefined;
  const isTyped = (facts === undefined || isObject(facts)) && (at === undefined || typeof at === "string");
  return typeof id === "string" && events.includes(event) && hasStatus && isTyped;
}
