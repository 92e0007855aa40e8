import { Discussion } from "../../api/endpoints/discussions.ts";
import type { Passage } from "../../terminal/view.ts";
import type { Shown } from "../../verbs/resource-view.ts";

export const discussionColumns = ["id", "individual_note", "notes.id", "notes.author.username", "notes.body"] as const;

/** The parts of an answer that are used; an instance may leave out any of them. */
interface ShownThread {
  id?: string;
  individual_note?: boolean;
  notes?: readonly ShownNote[];
}

interface ShownNote {
  id?: number;
  body?: string;
  author?: { name?: string; username?: string };
  created_at?: string;
  system?: boolean;
  internal?: boolean;
  resolvable?: boolean;
  resolved?: boolean;
  resolved_by?: { username?: string } | null;
  position?: { new_path?: string | null; new_line?: number | null; old_path?: string; old_line?: number | null } | null;
}

/** A discussion as a conversation: each note with its author and age, and whether it is resolved. */
export function passageOf(discussion: object): Passage {
  const { id = "", individual_note: single, notes = [] }: ShownThread = withoutNulls(discussion);
  const kind = !single ? "thread" : notes[0]?.system ? "system note" : "comment";
  const resolvable = notes.filter((note) => note.resolvable);
  const resolved = resolvable.every((note) => note.resolved) ? "resolved" : "unresolved";
  const resolver = resolvable.find((note) => note.resolved)?.resolved_by?.username;
  const state = resolved === "resolved" && resolver !== undefined ? `resolved by ${resolver}` : resolved;
  const place = placeOf(notes[0]);
  return {
    heading: [kind, ...(resolvable.length > 0 ? [state] : []), ...(place === undefined ? [] : [place]), id],
    inner: notes.map(notePassage),
  };
}

/** The file and line that a merge request's thread is about; the old ones if the line was removed. */
function placeOf(note: ShownNote | undefined): string | undefined {
  const { new_path, new_line, old_path, old_line } = note?.position ?? {};
  const path = new_path ?? old_path;
  const line = new_line ?? old_line;
  if (typeof path !== "string") return undefined;
  return typeof line === "number" ? `${path}:${line}` : path;
}

function notePassage({ id, body = "", author, created_at: time, system, internal }: ShownNote): Passage {
  const name = author?.name ?? "unknown";
  return {
    heading: [
      author?.username === undefined ? name : `${name} (${author.username})`,
      ...(time === undefined ? [] : [{ time: String(time) }]),
      `note ${id}`,
      ...(system ? ["system"] : []),
      ...(internal ? ["internal"] : []),
    ],
    text: body,
  };
}

/** A field that is null is treated like one that is left out. */
function withoutNulls<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutNulls) as T;
  if (typeof value !== "object" || value === null) return value;
  const given = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(given.map(([name, each]) => [name, withoutNulls(each)])) as T;
}

/** A discussion with all of its notes. */
export const discussion: Shown<typeof Discussion.shape> = {
  entity: Discussion,
  columns: discussionColumns,
  passage: passageOf,
};
