import { checkUnmodifiedSince } from "../../server/call.ts";
import { page, pageParams } from "../../server/pagination.ts";
import { boolean, fallback, integer, oneOf, type Params, required, string } from "../../server/params.ts";
import { badRequest } from "../../server/problem.ts";
import { noContent, ok } from "../../server/reply.ts";
import type { Router } from "../../server/router.ts";
import type { World } from "../../store/world.ts";
import { type Note, notes } from "./model.ts";
import { findNoteable, type Kind, kinds, placeParams } from "./noteables.ts";
import { runActions } from "./quick-actions.ts";
import { checkMayChange } from "./rights.ts";
import { findNote, visibleNotes } from "./threads.ts";
import { viewNote } from "./view.ts";
import {
  bodyParams,
  changeNote,
  createdParams,
  internalParams,
  optionalBodyParams,
  type Posted,
  postNote,
} from "./write.ts";

const order = {
  sort: fallback(oneOf(["asc", "desc"]), "desc"),
  order_by: fallback(oneOf(["created_at", "updated_at"]), "created_at"),
};
/** Not in the documents: comments of users, system notes, or both. */
const activity = { activity_filter: fallback(oneOf(["all_notes", "only_comments", "only_activity"]), "all_notes") };
const noteId = { note_id: required(integer()) };

const confidential = { confidential: boolean() };

interface Changes {
  readonly body: string | undefined;
  /** Not for snippets. */
  readonly confidential?: boolean | undefined;
}

/** The notes of all kinds of resources (2-collaboration-identity-api: Notes). */
export function noteRoutes(router: Router): void {
  const { Issue, MergeRequest, Snippet, Epic } = kinds;
  for (const kind of [Issue, MergeRequest, Snippet, Epic]) readNotes(router, kind);
  createNotes(router, Issue, { ...bodyParams, ...createdParams, ...internalParams });
  createNotes(router, MergeRequest, { ...bodyParams, ...createdParams, merge_request_diff_head_sha: string() });
  createNotes(router, Snippet, { ...bodyParams, ...createdParams });
  createNotes(router, Epic, { ...bodyParams, ...internalParams });
  updateNotes(router, Issue, { ...optionalBodyParams, ...confidential });
  updateNotes(router, MergeRequest, { ...bodyParams, ...confidential });
  updateNotes(router, Snippet, bodyParams);
  for (const kind of [Issue, MergeRequest, Snippet]) deleteNotes(router, kind);
}

/** The notes API does not return notes in threads (2-collaboration-identity-api: Discussion); real instances do. */
function isServed({ asDeployed }: World): (note: Note) => boolean {
  return (note) => asDeployed || note.type === null;
}

function readNotes(router: Router, kind: Kind): void {
  const { access, path, tier } = kind;
  const options = { access, deployed: { authenticates: true }, ...(tier && { tier }) } as const;
  const params = { ...pageParams, ...placeParams(kind), ...order, ...activity };
  router.on(`GET ${path}/notes`, { ...options, params }, (call) => {
    const noteable = findNoteable(kind, call);
    const { sort, order_by: by, activity_filter: filter } = call.params;
    const direction = sort === "asc" ? 1 : -1;
    const rows = visibleNotes(call, noteable)
      .filter(isServed(call.world))
      .filter((note) => filter === "all_notes" || note.system === (filter === "only_activity"))
      .sort((a, b) => direction * (a[by] < b[by] ? -1 : a[by] > b[by] ? 1 : a.id - b.id));
    return page(call, rows, (note) => viewNote(call.world, noteable, note));
  });
  router.on(`GET ${path}/notes/:note_id`, { ...options, params: { ...placeParams(kind), ...noteId } }, (call) => {
    const noteable = findNoteable(kind, call);
    const note = findNote(visibleNotes(call, noteable).filter(isServed(call.world)), call.params.note_id);
    return ok(viewNote(call.world, noteable, note));
  });
}

function createNotes(router: Router, kind: Kind, taken: Params): void {
  const { access, path, tier } = kind;
  const params = { ...placeParams(kind), ...taken };
  router.on(`POST ${path}/notes`, { access, params, ...(tier && { tier }) }, (call) =>
    postNote(call, findNoteable(kind, call), call.params as unknown as Posted),
  );
}

function updateNotes(
  router: Router,
  kind: Kind,
  taken: typeof optionalBodyParams & Partial<typeof confidential>,
): void {
  const { access, path } = kind;
  const params = { ...placeParams(kind), ...noteId, ...taken };
  router.on(`PUT ${path}/notes/:note_id`, { access, params }, (call) => {
    const noteable = findNoteable(kind, call);
    const note = findNote(visibleNotes(call, noteable).filter(isServed(call.world)), call.params.note_id);
    const { body, confidential } = call.params as Changes;
    if (call.world.asDeployed && confidential !== undefined && confidential !== note.internal) {
      throw badRequest('Note {:confidential=>["can not be changed for existing notes"]}');
    }
    const changes = { body, ...(confidential !== undefined && { internal: confidential }) };
    const changed = () => ok(viewNote(call.world, noteable, changeNote(call, noteable, note, changes)));
    return runActions(call, noteable, note, body) ?? changed();
  });
}

function deleteNotes(router: Router, kind: Kind): void {
  const { access, path } = kind;
  const params = { ...placeParams(kind), ...noteId };
  router.on(`DELETE ${path}/notes/:note_id`, { access, params }, (call) => {
    const note = findNote(
      visibleNotes(call, findNoteable(kind, call)).filter(isServed(call.world)),
      call.params.note_id,
    );
    checkMayChange(call, note);
    checkUnmodifiedSince(call, note.updated_at);
    call.world.store.table(notes).delete(note.id);
    return noContent();
  });
}
