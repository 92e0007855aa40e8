import { lineage } from "../../server/access.ts";
import { type Project, projects, type User, users } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { basicUser, briefUser } from "../users/view.ts";
import type { Note, Reaction } from "./model.ts";
import type { Noteable } from "./noteables.ts";

/** A note as returned by its own endpoints (2-collaboration-identity-api: Note). */
export function viewNote(world: World, noteable: Noteable, note: Note): Record<string, unknown> {
  return {
    id: note.id,
    ...(world.asDeployed && { type: note.type }),
    body: note.body,
    attachment: null,
    author: viewAuthor(world, world.store.table(users).get(note.author_id)),
    created_at: note.created_at,
    updated_at: note.updated_at,
    system: note.system,
    noteable_id: noteable.id,
    noteable_type: noteable.type,
    project_id: noteable.project_id ?? firstProject(world, noteable),
    noteable_iid: noteable.iid,
    resolvable: note.resolved !== null,
    ...(note.resolved !== null && { resolved: note.resolved }),
    confidential: note.internal,
    internal: note.internal,
    ...(noteable.type !== "MergeRequest" && { imported: false }),
    imported_from: "none",
    ...(world.asDeployed && { commands_changes: {} }),
  };
}

/**
 * The documents give every note a project ID, but an epic has no project: the first one of its group is used. Real
 * instances return null.
 */
function firstProject(world: World, { group_id: group }: Noteable): number | null {
  if (world.asDeployed || group === undefined) return null;
  const inside = ({ namespace_id }: Project) => lineage(world, namespace_id).some(({ id }) => id === group);
  return world.store.table(projects).find(inside)?.id ?? null;
}

/** A note inside a discussion: its type distinguishes threads from single comments. */
export function viewDiscussionNote(world: World, noteable: Noteable, note: Note): Record<string, unknown> {
  const { id, ...rest } = viewNote(world, noteable, note);
  return { id, type: note.type, ...rest };
}

/** A discussion with its notes (2-collaboration-identity-api: Discussion). */
export function viewDiscussion(world: World, noteable: Noteable, notes: readonly Note[]): Record<string, unknown> {
  return {
    id: notes[0]?.discussion_id,
    individual_note: notes[0]?.type === null,
    notes: notes.map((note) => viewDiscussionNote(world, noteable, note)),
  };
}

export function viewReaction(world: World, origin: string, reaction: Reaction): Record<string, unknown> {
  const user = world.store.table(users).get(reaction.user_id);
  return {
    id: reaction.id,
    name: reaction.name,
    user: user === undefined ? null : briefUser(user, origin),
    created_at: reaction.created_at,
    updated_at: reaction.created_at,
    awardable_id: reaction.awardable_id,
    awardable_type: reaction.awardable_type,
    url: null,
  };
}

function viewAuthor(world: World, user: User | undefined): Record<string, unknown> | null {
  if (user === undefined) return null;
  if (world.asDeployed) return basicUser(user, world.url);
  const { id, username, email, name, state, created_at } = user;
  return { id, username, email, name, state, created_at };
}
