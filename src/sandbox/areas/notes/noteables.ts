import type { Call } from "../../server/call.ts";
import { integer, required } from "../../server/params.ts";
import { notFound } from "../../server/problem.ts";
import type { World } from "../../store/world.ts";
import { epics, issues, mergeRequests, type NoteableType, snippets } from "./model.ts";

/** A resource with notes, of any kind. */
export interface Noteable {
  readonly type: NoteableType;
  readonly id: number;
  readonly iid: number | null;
  readonly project_id: number | null;
  /** Set if it belongs to no project. */
  readonly group_id?: number;
  readonly title: string;
}

/** A kind of resource with notes: its routes, the required access, and the lookup. */
export interface Kind {
  readonly type: NoteableType;
  readonly path: `/${string}`;
  /** The path parameter that names it. */
  readonly place: "issue_iid" | "merge_request_iid" | "snippet_id" | "epic_id";
  readonly access:
    | { readonly project: "guest"; readonly public: true }
    | { readonly group: "guest"; readonly public: true };
  readonly tier?: "premium";
  find(call: Place, number: number): Noteable | undefined;
}

type Place = {
  readonly world: World;
  readonly project: { id: number } | undefined;
  readonly group: { id: number } | undefined;
};

/** Anyone who can see a project or group can see its discussions; the documents name no roles for them. */
const inProject = { project: "guest", public: true } as const;
const inGroup = { group: "guest", public: true } as const;

export const kinds: Readonly<Record<NoteableType, Kind>> = {
  Issue: {
    type: "Issue",
    path: "/projects/:id/issues/:issue_iid",
    place: "issue_iid",
    access: inProject,
    find: ({ world, project }, iid) => {
      const found = world.store.table(issues).find((issue) => issue.project_id === project?.id && issue.iid === iid);
      return found && { ...found, type: "Issue" };
    },
  },
  MergeRequest: {
    type: "MergeRequest",
    path: "/projects/:id/merge_requests/:merge_request_iid",
    place: "merge_request_iid",
    access: inProject,
    find: ({ world, project }, iid) => {
      const found = world.store
        .table(mergeRequests)
        .find((each) => each.project_id === project?.id && each.iid === iid);
      return found && { ...found, type: "MergeRequest" };
    },
  },
  Snippet: {
    type: "Snippet",
    path: "/projects/:id/snippets/:snippet_id",
    place: "snippet_id",
    access: inProject,
    find: ({ world, project }, id) => {
      const found = world.store.table(snippets).get(id);
      return found && found.project_id === project?.id ? { ...found, type: "Snippet", iid: null } : undefined;
    },
  },
  // By ID: an IID is not found, or is another epic's ID (2-collaboration-identity-api: Notes, rules).
  Epic: {
    type: "Epic",
    path: "/groups/:id/epics/:epic_id",
    place: "epic_id",
    access: inGroup,
    tier: "premium",
    find: ({ world, group }, id) => {
      const found = world.store.table(epics).get(id);
      return found && found.group_id === group?.id ? { ...found, type: "Epic", project_id: null } : undefined;
    },
  },
};

/** The parameter that names one of a kind. */
export function placeParams(kind: Kind) {
  return { [kind.place]: required(integer()) };
}

/** The resource that a path names; throws the 404. */
export function findNoteable(kind: Kind, call: Pick<Call, "world" | "project" | "group" | "params">): Noteable {
  const found = kind.find(call, Number(call.params[kind.place]));
  if (found === undefined) throw notFound(kind.type.replace(/(?<=.)(?=[A-Z])/g, " "));
  return found;
}
