import { lineage } from "../access.ts";
import { type Project, projects } from "../model.ts";
import type { Happening, World } from "../world.ts";
import { wantsBranch } from "./branches.ts";
import { type GroupHook, groupHooks, type HookKind } from "./model.ts";

/** Something that hooks are told of. */
export interface Occasion {
  readonly kind: HookKind;
  readonly event: Happening;
  readonly project: Project;
}

/** What an event of the feed is to hooks; nothing where it belongs to no project, or is of no kind that they know. */
export function occasionsOf(world: World, event: Happening): Occasion[] {
  const project = event.project_id === null ? undefined : world.store.table(projects).get(event.project_id);
  return project === undefined ? [] : kindsOf(event).map((kind) => ({ kind, event, project }));
}

function kindsOf(event: Happening): HookKind[] {
  if (event.push_data !== undefined) {
    return [event.push_data.ref_type === "tag" ? "tag_push" : "push", "repository_update"];
  }
  if (event.note !== undefined) return [event.confidential ? "confidential_note" : "note"];
  if (event.target_type === "Issue") return [event.confidential ? "confidential_issues" : "issues"];
  if (event.target_type === "MergeRequest") return ["merge_requests"];
  if (event.target_type === "AwardEmoji") return ["emoji"];
  return event.target_type?.startsWith("WikiPage") ? ["wiki_page"] : [];
}

/** The hooks of the project's group and the groups above it that want to hear of it. */
export function hooksFor(world: World, { kind, event, project }: Occasion): GroupHook[] {
  const above = lineage(world, project.namespace_id).map((group) => group.id);
  return world.store
    .table(groupHooks)
    .where(
      (hook) =>
        above.includes(hook.group_id) &&
        hook[`${kind}_events`] &&
        (kind !== "push" || wantsBranch(hook, event.push_data?.ref ?? "")),
    );
}
