import type { Call } from "../../server/call.ts";
import { boolean, dateTime, required, string } from "../../server/params.ts";
import { invalid } from "../../server/problem.ts";
import { accepted, created, type Reply } from "../../server/reply.ts";
import type { User } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { onlyEmoji } from "./emoji.ts";
import { holdsMerge, mergedBy, withoutMerge } from "./merge.ts";
import { type Note, notes, reactions } from "./model.ts";
import type { Noteable } from "./noteables.ts";
import { applied, runNew } from "./quick-actions.ts";
import { checkInternal, checkMayChange, checkRate, creationTime, writerOf } from "./rights.ts";
import { checkSpam } from "./spam.ts";
import { addNote } from "./threads.ts";
import { viewNote, viewReaction } from "./view.ts";

/** The maximum length of a text, in characters (2-collaboration-identity-api: Limits). */
const longestBody = 1_000_000;

export const optionalBodyParams = { body: string({ max: longestBody }) };
export const bodyParams = { body: required(string({ max: longestBody })) };
export const createdParams = { created_at: dateTime() };
export const internalParams = { internal: boolean(), confidential: boolean() };

type Writing = Pick<Call, "world" | "user" | "level" | "header" | "origin">;

export interface Posted {
  readonly body: string;
  readonly created_at?: Date | undefined;
  readonly internal?: boolean | undefined;
  readonly confidential?: boolean | undefined;
  readonly merge_request_diff_head_sha?: string | undefined;
}

/** Checks a text before it is stored, and returns its author. */
export function admit(call: Writing, posted: Posted): { author: User; created_at?: string } {
  const author = writerOf(call);
  checkRate(call.world, author);
  refuseBlank(posted.body);
  const created_at = creationTime(call.level, posted.created_at);
  checkSpam(call, author, posted.body);
  return { author, ...(created_at !== undefined && { created_at }) };
}

/** Creates a note; the answer is the note, the reaction it became, or the result of a quick action. */
export function postNote(call: Writing, noteable: Noteable, posted: Posted): Reply {
  const { world } = call;
  const { author, created_at } = admit(call, posted);
  // `internal` overrides its deprecated predecessor.
  const internal = posted.internal ?? posted.confidential ?? false;
  checkInternal(call.level, internal);
  const ran = runNew(call, noteable, posted.body);
  if (ran !== undefined) return ran;
  const emoji = onlyEmoji(posted.body);
  if (emoji !== undefined) return created(react(call, author, noteable, emoji));
  const merges = noteable.type === "MergeRequest" && holdsMerge(posted.body);
  const text = merges ? withoutMerge(posted.body) : posted.body;
  const merged = merges ? mergedBy(call, author, noteable, posted.merge_request_diff_head_sha) : undefined;
  if (merged !== undefined && text === "") return accepted(merged);
  const { body, changes } = applied(call, noteable, text);
  const note = addNote(world, noteable, { author_id: author.id, body, internal, ...(created_at && { created_at }) });
  tell(world, noteable, note);
  const commands_changes = { ...merged?.commands_changes, ...changes };
  return created({ ...viewNote(world, noteable, note), ...(world.asDeployed && { commands_changes }) });
}

/** Changes a note's text and its time of last change. */
export function changeNote(
  call: Writing,
  noteable: Noteable,
  note: Note,
  changes: { body?: string | undefined; internal?: boolean },
): Note {
  checkMayChange(call, note);
  const { body, internal = note.internal } = changes;
  if (body !== undefined) {
    refuseBlank(body);
    checkSpam(call, writerOf(call), body);
  }
  checkInternal(call.level, internal);
  const table = call.world.store.table(notes);
  const text = body === undefined ? note.body : applied(call, noteable, body).body;
  return table.update(note.id, { body: text, internal, updated_at: call.world.timestamp() });
}

function refuseBlank(body: string): void {
  if (body.trim() === "") throw invalid({ body: ["can't be blank"] });
}

/** The same emoji of the same user counts once. */
function react({ world, origin }: Writing, user: User, noteable: Noteable, name: string): Record<string, unknown> {
  const table = world.store.table(reactions);
  const draft = { name, user_id: user.id, awardable_type: noteable.type, awardable_id: noteable.id };
  const present = table.find((each) =>
    Object.entries(draft).every(([key, value]) => each[key as keyof typeof draft] === value),
  );
  if (present !== undefined) return viewReaction(world, origin, present);
  world.announce({
    author_id: user.id,
    project_id: noteable.project_id,
    action_name: "awarded",
    target_id: noteable.id,
    target_type: "AwardEmoji",
    target_title: name,
  });
  return viewReaction(world, origin, table.insert({ ...draft, created_at: world.timestamp() }));
}

/**
 * Announces a new note. Single comments show in their project's activity, except those of epics; internal notes and
 * notes in threads only notify hooks (2-collaboration-identity-api: Discussion).
 */
export function tell(world: World, noteable: Noteable, note: Note): void {
  if (noteable.project_id === null) return;
  const event = {
    author_id: note.author_id,
    project_id: noteable.project_id,
    action_name: "commented on",
    target_id: note.id,
    target_iid: note.id,
    target_type: "Note",
    target_title: noteable.title,
    created_at: note.created_at,
    note: {
      id: note.id,
      body: note.body,
      created_at: note.created_at,
      noteable_id: noteable.id,
      noteable_type: noteable.type,
      noteable_iid: noteable.iid,
    },
  };
  if (note.internal || note.type !== null) world.announce({ ...event, confidential: note.internal });
  else world.record(event);
}
