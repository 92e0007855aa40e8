import { type Call, checkUnmodifiedSince } from "../../server/call.ts";
import { page, pageParams } from "../../server/pagination.ts";
import { boolean, integer, required, string } from "../../server/params.ts";
import { badRequest, forbidden } from "../../server/problem.ts";
import { created, noContent, ok } from "../../server/reply.ts";
import type { Router } from "../../server/router.ts";
import { roles } from "../../store/model.ts";
import { type Note, notes } from "./model.ts";
import { findNoteable, type Kind, kinds, type Noteable, placeParams } from "./noteables.ts";
import { applied, runActions, runNew } from "./quick-actions.ts";
import { checkMayChange, writerOf } from "./rights.ts";
import { addNote, discussionsOf, findDiscussion, findNote, visibleNotes } from "./threads.ts";
import { viewDiscussion, viewDiscussionNote } from "./view.ts";
import { admit, bodyParams, changeNote, createdParams, tell } from "./write.ts";

const discussionId = { discussion_id: required(string()) };
const noteId = { note_id: required(integer()) };

/** Discussions (2-collaboration-identity-api: Discussions). Those of merge requests are not in the documents. */
export function discussionRoutes(router: Router): void {
  const { Issue, MergeRequest, Snippet, Epic } = kinds;
  for (const kind of [Issue, MergeRequest, Snippet, Epic]) {
    readDiscussions(router, kind);
    startThreads(router, kind);
  }
  for (const kind of [Issue, MergeRequest, Snippet]) {
    addNotes(router, kind);
    changeNotes(router, kind);
  }
  resolveThreads(router, MergeRequest);
}

function readDiscussions(router: Router, kind: Kind): void {
  const { access, path, tier } = kind;
  const options = { access, deployed: { authenticates: true }, ...(tier && { tier }) } as const;
  const listed = { ...pageParams, ...placeParams(kind) };
  router.on(`GET ${path}/discussions`, { ...options, params: listed }, (call) => {
    const noteable = findNoteable(kind, call);
    const rows = discussionsOf(visibleNotes(call, noteable));
    return page(call, rows, (thread) => viewDiscussion(call.world, noteable, thread));
  });
  const named = { ...placeParams(kind), ...discussionId };
  router.on(`GET ${path}/discussions/:discussion_id`, { ...options, params: named }, (call) => {
    const noteable = findNoteable(kind, call);
    const thread = findDiscussion(visibleNotes(call, noteable), call.params.discussion_id);
    return ok(viewDiscussion(call.world, noteable, thread));
  });
}

function startThreads(router: Router, kind: Kind): void {
  const { access, path, tier } = kind;
  const params = { ...placeParams(kind), ...bodyParams, ...createdParams };
  router.on(`POST ${path}/discussions`, { access, params, ...(tier && { tier }) }, (call) => {
    const noteable = findNoteable(kind, call);
    const { author, ...times } = admit(call, call.params);
    const ran = runNew(call, noteable, call.params.body);
    if (ran !== undefined) return ran;
    const { body } = applied(call, noteable, call.params.body);
    const draft = { author_id: author.id, body, type: "DiscussionNote", resolved: false } as const;
    const note = addNote(call.world, noteable, { ...draft, ...times });
    tell(call.world, noteable, note);
    // Real instances read the notes of the discussion again, and what the commands changed is not stored.
    return created(viewDiscussion(call.world, noteable, [note]));
  });
}

/** A reply. Replying to a single comment or a system note turns it into a thread. */
function addNotes(router: Router, kind: Kind): void {
  const { access, path } = kind;
  const answering = { note_id: kind.type === "MergeRequest" ? integer() : noteId.note_id };
  const params = { ...placeParams(kind), ...discussionId, ...answering, ...bodyParams, ...createdParams };
  router.on(`POST ${path}/discussions/:discussion_id/notes`, { access, params }, (call) => {
    const noteable = findNoteable(kind, call);
    const thread = findDiscussion(visibleNotes(call, noteable), call.params.discussion_id);
    const answered = findNote(thread, call.params.note_id ?? thread[0]?.id ?? 0);
    const { author, ...times } = admit(call, call.params);
    const ran = runNew(call, noteable, call.params.body);
    if (ran !== undefined) return ran;
    const table = call.world.store.table(notes);
    for (const each of thread) {
      if (each.type === null) table.update(each.id, { type: "DiscussionNote", resolved: false });
    }
    const { body, changes: commands_changes } = applied(call, noteable, call.params.body);
    const note = addNote(call.world, noteable, {
      author_id: author.id,
      body,
      type: "DiscussionNote",
      discussion_id: answered.discussion_id,
      internal: answered.internal,
      resolved: thread.every((each) => each.resolved === true),
      ...times,
    });
    tell(call.world, noteable, note);
    const view = viewDiscussionNote(call.world, noteable, note);
    return created({ ...view, ...(call.world.asDeployed && { commands_changes }) });
  });
}

function changeNotes(router: Router, kind: Kind): void {
  const { access, path } = kind;
  const route = `${path}/discussions/:discussion_id/notes/:note_id` as const;
  const named = { ...placeParams(kind), ...discussionId, ...noteId };
  router.on(`PUT ${route}`, { access, params: { ...named, ...bodyParams } }, (call) => {
    const noteable = findNoteable(kind, call);
    const note = namedNote(call, noteable);
    const { body } = call.params;
    const changed = () => ok(viewDiscussionNote(call.world, noteable, changeNote(call, noteable, note, { body })));
    return runActions(call, noteable, note, body) ?? changed();
  });
  router.on(`DELETE ${route}`, { access, params: named }, (call) => {
    const note = namedNote(call, findNoteable(kind, call));
    checkMayChange(call, note);
    checkUnmodifiedSince(call, note.updated_at);
    call.world.store.table(notes).delete(note.id);
    return noContent();
  });
}

type Naming = Pick<Call, "world" | "level" | "user"> & {
  readonly params: { readonly discussion_id: string; readonly note_id: number };
};

/** The note of the discussion; real instances look for it in all of them. */
function namedNote(call: Naming, noteable: Noteable): Note {
  const { discussion_id, note_id } = call.params;
  const found = visibleNotes(call, noteable);
  return findNote(call.world.asDeployed ? found : findDiscussion(found, discussion_id), note_id);
}

/** Resolves or reopens all notes of a thread. */
function resolveThreads(router: Router, kind: Kind): void {
  const { access, path } = kind;
  const params = { ...placeParams(kind), ...discussionId, resolved: required(boolean()) };
  router.on(`PUT ${path}/discussions/:discussion_id`, { access, params }, (call) => {
    const { world, level, params } = call;
    const noteable = findNoteable(kind, call);
    const thread = findDiscussion(visibleNotes(call, noteable), params.discussion_id);
    const user = writerOf(call);
    if (level < roles.developer && thread[0]?.author_id !== user.id) throw forbidden();
    if (thread.every(({ resolved }) => resolved === null)) {
      throw world.asDeployed ? forbidden() : badRequest("Discussion is not resolvable");
    }
    const resolved = thread.map((note) =>
      note.resolved === null ? note : world.store.table(notes).update(note.id, { resolved: params.resolved }),
    );
    return ok(viewDiscussion(world, noteable, resolved));
  });
}
