import { Discussion } from "../../api/endpoints/discussions.ts";
import { entity, integer, nullable, string, uncut } from "../../api/field.ts";
import { isObject } from "../../base/is-object.ts";
import type { Passage } from "../../terminal/view.ts";
import type { ResourceView } from "../../verbs/resource-view.ts";
import { onlyCommands } from "../notes/view.ts";

export const discussionColumns = [
  ...(["id", "individual_note", "notes.id", "notes.author.username", "notes.body"] as const),
  ...(["file", "line", "resolved_by"] as const),
] as const;

const ShownDiscussion = entity("Discussion", {
  ...Discussion.shape,
  file: nullable(uncut("The file that a thread of a merge request is about")),
  line: nullable(integer("Its line there; of a removed line, the old number")),
  resolved_by: nullable(string("Who resolved the thread, if all of its notes are resolved")),
});

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
  const { file, line, resolved_by: resolver } = reviewOf(notes);
  const state = resolver === null ? resolved : `resolved by ${resolver}`;
  const place = file === null ? [] : [line === null ? file : `${file}:${line}`];
  return {
    heading: [kind, ...(resolvable.length > 0 ? [state] : []), ...place, id],
    inner: notes.map(notePassage),
  };
}

/** The file and line that a merge request's thread is about, the old ones if the line was removed, and its resolver. */
function reviewOf(notes: readonly ShownNote[]) {
  const { new_path, new_line, old_path, old_line } = notes[0]?.position ?? {};
  const file = new_path ?? old_path;
  const line = new_line ?? old_line;
  const resolvable = notes.filter((note) => note.resolvable);
  const resolver = resolvable.every((note) => note.resolved) ? resolvable[0]?.resolved_by?.username : undefined;
  return {
    file: typeof file === "string" ? file : null,
    line: typeof file === "string" && typeof line === "number" ? line : null,
    resolved_by: resolver ?? null,
  };
}

/** A discussion with what a review needs in fields of its own. */
function withReview(discussion: object): object {
  const { notes }: ShownThread = withoutNulls(discussion);
  return { ...discussion, ...reviewOf(Array.isArray(notes) ? notes : []) };
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
export const discussion: ResourceView<typeof ShownDiscussion.shape> = {
  entity: ShownDiscussion,
  read: withReview,
  columns: discussionColumns,
  passage: passageOf,
};

/** A new discussion, or the effects of a text of only commands. */
export const started: ResourceView<typeof ShownDiscussion.shape> = {
  entity: ShownDiscussion,
  read: (answer) => ("notes" in answer ? withReview(answer) : answer),
  view: (answer) =>
    "notes" in answer ? { columns: [...discussionColumns], passage: passageOf } : onlyCommands(answer),
};

/** The named note of a discussion as it was. */
export function noteBefore(before: ShownThread, result: unknown): object | undefined {
  return before.notes?.find(({ id }) => isObject(result) && id === result.id);
}

/** Whether a thread was resolved, if that changed and was so for each of its notes. */
export function resolutionBefore(before: ShownThread, result: unknown): { resolved: boolean } | undefined {
  const [resolved, mixed] = resolutions(before);
  const [now, others] = resolutions(result as ShownThread);
  if (resolved === undefined || mixed !== undefined || others !== undefined || now === resolved) return undefined;
  return { resolved };
}

/** The different values that the notes of a thread have. */
function resolutions({ notes = [] }: ShownThread): boolean[] {
  return [...new Set(notes.filter((note) => note.resolvable).map((note) => note.resolved === true))];
}
