import { lineage } from "../../server/access.ts";
import { type Group, groups, type Project, projects } from "../../store/model.ts";
import type { Activity, World } from "../../store/world.ts";
import { wantsBranch } from "./branches.ts";
import { type GroupHook, groupHooks, type HookKind } from "./model.ts";

/** An event that is delivered to hooks. */
export interface HookEvent {
  readonly kind: HookKind;
  readonly event: Activity;
  /** Where it happened: a project, or a group itself. */
  readonly place: Project | Group;
}

/** The hook events of an activity; none if it has no project or group, or hooks have no such kind. */
export function hookEventsOf(world: World, event: Activity): HookEvent[] {
  const place =
    event.project_id === null
      ? world.store.table(groups).get(event.group_id ?? 0)
      : world.store.table(projects).get(event.project_id);
  return place === undefined ? [] : kindsOf(event).map((kind) => ({ kind, event, place }));
}

function kindsOf(event: Activity): HookKind[] {
  if (event.push_data !== undefined) {
    return [event.push_data.ref_type === "tag" ? "tag_push" : "push", "repository_update"];
  }
  if (event.note !== undefined) return [event.confidential ? "confidential_note" : "note"];
  if (event.target_type === "Issue") return [event.confidential ? "confidential_issues" : "issues"];
  if (event.target_type === "MergeRequest") return ["merge_requests"];
  if (event.target_type === "AwardEmoji") return ["emoji"];
  if (event.target_type === "Group") return ["subgroup"];
  if (event.target_type === "GroupMember") return ["member"];
  return event.target_type?.startsWith("WikiPage") ? ["wiki_page"] : [];
}

/** The hooks of the group and its parents that subscribe to this event. */
export function hooksFor(world: World, { kind, event, place }: HookEvent): GroupHook[] {
  const inside = "namespace_id" in place ? place.namespace_id : place.id;
  const above = lineage(world, inside).map((group) => group.id);
  const project = "namespace_id" in place ? place.id : 0;
  return world.store
    .table(groupHooks)
    .where(
      (hook) =>
        (above.includes(hook.group_id) || hook.project_id === project) &&
        hook[`${kind}_events`] === true &&
        (kind !== "push" || wantsBranch(hook, event.push_data?.ref ?? "")),
    );
}
