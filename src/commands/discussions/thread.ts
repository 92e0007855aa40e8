import { Discussion } from "../../api/endpoints/discussions.ts";
import type { Passage } from "../../terminal/view.ts";
import type { Shown } from "../../verbs/shown.ts";

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
}

/** A discussion as a conversation: each note with its author and age, and whether it is resolved. */
export function passageOf(discussion: object): Passage {
  const { id = "", individual_note: single, notes = [] }: ShownThread = withoutNulls(discussion);
  const kind = !single ? "thread" : notes[0]?.system ? "system note" : "comment";
  const resolvable = notes.filter((note) => note.resolvable);
  const resolved = resolvable.every((note) => note.resolved) ? "resolved" : "unresolved";
  return {
    heading: [kind, ...(resolvable.length > 0 ? [resolved] : []), id],
    inner: notes.map(notePassage),
  };
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
