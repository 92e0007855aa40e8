import { lineage } from "../../server/access.ts";
import { members, type Project } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { issues, mergeRequests, type NoteableType, notes, snippets } from "../notes/model.ts";

type Read = (world: World, project: Project) => object[];

/** The content of a project export: its top-level relations, and the objects of each. */
export const relations: Readonly<Record<string, Read>> = {
  boards: () => [{ name: "Development", hide_backlog_list: false, lists: ["doing", "review"] }],
  issues: (world, project) =>
    world.store
      .table(issues)
      .where((issue) => issue.project_id === project.id)
      .map(({ project_id: _, id, ...issue }) => ({ ...issue, notes: notesOn(world, "Issue", id) })),
  labels: () =>
    ["bug", "doing", "documentation", "feature", "review", "security"].map((title, index) => ({
      title,
      color: `#${(index * 2_796_203 + 1_193_046).toString(16).slice(0, 6)}`,
    })),
  merge_requests: (world, project) =>
    world.store
      .table(mergeRequests)
      .where((request) => request.project_id === project.id)
      .map(({ project_id: _, id, ...request }) => ({ ...request, notes: notesOn(world, "MergeRequest", id) })),
  milestones: () => ["1.0", "1.1", "2.0"].map((title, index) => ({ iid: index + 1, title, state: "closed" })),
  project_members: (world, project) => {
    const above = lineage(world, project.namespace_id).map((group) => group.id);
    return world.store
      .table(members)
      .where((member) =>
        member.source_type === "project" ? member.source_id === project.id : above.includes(member.source_id),
      )
      .map(({ user_id, access_level, source_type }) => ({ user_id, access_level, source_type }));
  },
  protected_branches: (_, project) => [{ name: project.default_branch, allow_force_push: false }],
  releases: () => [],
  snippets: (world, project) =>
    world.store
      .table(snippets)
      .where((snippet) => snippet.project_id === project.id)
      .map(({ project_id: _, id, ...snippet }) => ({ ...snippet, notes: notesOn(world, "Snippet", id) })),
};

function notesOn(world: World, type: NoteableType, id: number): object[] {
  return world.store
    .table(notes)
    .where((note) => note.noteable_type === type && note.noteable_id === id)
    .map(({ noteable_id: _, id: __, ...note }) => note);
}
