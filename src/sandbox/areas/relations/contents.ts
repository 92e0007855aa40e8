import { lineage } from "../../server/access.ts";
import { members, type Project, users } from "../../store/model.ts";
import type { Row, Table } from "../../store/store.ts";
import type { TarFile } from "../../store/tar.ts";
import type { World } from "../../store/world.ts";
import { pipelines } from "../artifacts/model.ts";
import { issues, mergeRequests, type NoteableType, notes, snippets } from "../notes/model.ts";

/** Real instances export this last: it is pending until the others have ended. */
export const CONTRIBUTIONS = "user_contributions";

type Read = (world: World, project: Project) => object[];

const WHEN = "2025-04-01T09:00:00.000Z";

/**
 * The content of a project export: its top-level relations, and the objects of each. No document names them; they are
 * those of current releases.
 */
export const relations: Readonly<Record<string, Read>> = {
  auto_devops: () => [{ enabled: false, deploy_strategy: "continuous" }],
  boards: () => [{ name: "Development", hide_backlog_list: false, lists: ["doing", "review"] }],
  ci_cd_settings: () => [{ group_runners_enabled: true, default_git_depth: 20 }],
  ci_pipelines: (world, project) =>
    ownIn(world.store.table(pipelines), project).map(({ ref, tag, sha, status, created_at }) => ({
      ...{ ref, tag, sha, status, created_at },
    })),
  commit_notes: () => [],
  container_expiration_policy: () => [{ enabled: false, cadence: "1d", keep_n: 10, older_than: "90d" }],
  custom_attributes: () => [],
  error_tracking_setting: () => [{ api_url: null, project_name: null, organization_name: null }],
  external_pull_requests: () => [],
  issues: (world, project) =>
    ownIn(world.store.table(issues), project).map(({ id, ...issue }) => ({
      ...issue,
      notes: notesOn(world, "Issue", id),
    })),
  labels: () =>
    ["bug", "doing", "documentation", "feature", "review", "security"].map((title, index) => ({
      title,
      color: `#${(index * 2_796_203 + 1_193_046).toString(16).slice(0, 6)}`,
    })),
  merge_requests: (world, project) =>
    ownIn(world.store.table(mergeRequests), project).map(({ id, ...request }) => ({
      ...request,
      notes: notesOn(world, "MergeRequest", id),
    })),
  milestones: () => ["1.0", "1.1", "2.0"].map((title, index) => ({ iid: index + 1, title, state: "closed" })),
  pipeline_schedules: (_, project) => [{ cron: "0 3 * * *", ref: project.default_branch, active: true }],
  project_badges: () => [{ name: "pipeline", link_url: "https://docs.example.com/", created_at: WHEN }],
  project_feature: (_, project) => [
    { issues_access_level: 20, container_registry_access_level: project.container_registry_access_level },
  ],
  protected_branches: (_, project) => [{ name: project.default_branch, allow_force_push: false }],
  protected_tags: () => [{ name: "v*", created_at: WHEN }],
  releases: () => [],
  self: (_, { description, visibility, topics, archived = false }) => [{ description, visibility, topics, archived }],
  service_desk_setting: () => [{ project_key: null, issue_template_key: null }],
  snippets: (world, project) =>
    ownIn(world.store.table(snippets), project).map(({ id, ...snippet }) => ({
      ...snippet,
      notes: notesOn(world, "Snippet", id),
    })),
  [CONTRIBUTIONS]: (world, project) => {
    const above = lineage(world, project.namespace_id).map((group) => group.id);
    const here = world.store
      .table(members)
      .where((member) =>
        member.source_type === "project" ? member.source_id === project.id : above.includes(member.source_id),
      );
    const ids = new Set(here.map(({ user_id }) => user_id));
    return world.store
      .table(users)
      .where(({ id }) => ids.has(id))
      .map(({ id, username, name, public_email }) => ({ id, username, name, public_email }));
  },
};

/** Relations of files, which are a compressed tar, never in batches. */
export const archives: Readonly<Record<string, readonly TarFile[]>> = {
  design: [{ path: "design.bundle", content: "# v2 git bundle\n" }],
  lfs_objects: [{ path: "lfs_objects.json", content: "{}" }],
  repository: [{ path: "project.bundle", content: "# v2 git bundle\n" }],
  uploads: [],
};

/** The objects of a project in a table. */
function ownIn<T extends Row & { readonly project_id: number }>(table: Table<T>, project: Project) {
  return table.where(({ project_id }) => project_id === project.id).map(({ project_id: _, ...own }) => own);
}

function notesOn(world: World, type: NoteableType, id: number): object[] {
  return world.store
    .table(notes)
    .where((note) => note.noteable_type === type && note.noteable_id === id)
    .map(({ noteable_id: _, id: __, ...note }) => note);
}
