import { ownValue } from "../../own-value.ts";
import { type Group, groups, type Project, type PushData, type User, users } from "../../store/model.ts";
import type { Activity, World } from "../../store/world.ts";
import { commitsOf } from "./commits.ts";
import type { HookEvent } from "./hook-events.ts";
import type { HookKind } from "./model.ts";

/** The SHA for a missing parent commit, and for the tip of a deleted branch. */
const nothing = "0".repeat(40);

/** The body of a hook delivery (2-collaboration-identity-api: Events). */
export function payloadOf(world: World, { kind, event, place }: HookEvent): Record<string, unknown> {
  const actor = world.store.table(users).get(event.author_id);
  if (!("namespace_id" in place)) return groupPayload(world, event, place);
  const { push_data: push } = event;
  if (push !== undefined && kind === "repository_update") return updatePayload(world, push, actor, place);
  if (push !== undefined) return pushPayload(world, push, actor, { project: place, at: event.created_at });
  const common = {
    user: actor && {
      id: actor.id,
      name: actor.name,
      username: actor.username,
      avatar_url: avatarOf(world, actor),
      email: "[REDACTED]",
    },
    project_id: place.id,
    project: projectSummary(world, place),
    repository: repositorySummary(world, place),
  };
  const object_kind = objectKinds[kind] ?? kind;
  return { object_kind, event_type: object_kind, ...common, object_attributes: attributesOf(world, event, place) };
}

function attributesOf(world: World, event: Activity, project: Project): Record<string, unknown> {
  if (event.note !== undefined) return noteAttributes(event);
  return event.target_type === "AwardEmoji" ? emojiAttributes(event) : targetAttributes(world, event, project);
}

const objectKinds: { readonly [K in HookKind]?: string } = {
  merge_requests: "merge_request",
  issues: "issue",
  confidential_issues: "issue",
  confidential_note: "note",
};

function pushPayload(
  world: World,
  push: PushData,
  actor: User | undefined,
  { project, at }: { project: Project; at: string },
): Record<string, unknown> {
  const word = push.ref_type === "tag" ? "tag_push" : "push";
  return {
    object_kind: word,
    event_name: word,
    before: push.commit_from ?? nothing,
    after: push.commit_to ?? nothing,
    ref: refOf(push),
    ref_protected: push.ref_type === "branch" && push.ref === project.default_branch,
    checkout_sha: push.commit_to,
    message: null,
    user_id: actor?.id ?? null,
    user_name: actor?.name ?? "",
    user_username: actor?.username ?? "",
    user_email: emailOf(actor),
    user_avatar: avatarOf(world, actor),
    project_id: project.id,
    project: projectSummary(world, project),
    commits: commitsOf(world, { project, push, actor, email: emailOf(actor), at }),
    total_commits_count: push.commit_count,
    push_options: {},
    repository: repositorySummary(world, project),
  };
}

function updatePayload(
  world: World,
  push: PushData,
  actor: User | undefined,
  project: Project,
): Record<string, unknown> {
  return {
    event_name: "repository_update",
    user_id: actor?.id ?? null,
    user_name: actor?.name ?? "",
    user_email: emailOf(actor),
    user_avatar: avatarOf(world, actor),
    project_id: project.id,
    project: projectSummary(world, project),
    changes: [{ before: push.commit_from ?? nothing, after: push.commit_to ?? nothing, ref: refOf(push) }],
    refs: [refOf(push)],
  };
}

function targetAttributes(world: World, event: Activity, project: Project): Record<string, unknown> {
  const place = event.target_type === "MergeRequest" ? "merge_requests" : "issues";
  return {
    id: event.target_id,
    iid: event.target_iid,
    title: event.target_title,
    action: ownValue(actions, event.action_name) ?? event.action_name,
    author_id: event.author_id,
    project_id: project.id,
    created_at: event.created_at,
    confidential: event.confidential === true,
    url: `${world.url}/${project.path_with_namespace}/-/${place}/${event.target_iid}`,
  };
}

const actions: Readonly<Record<string, string>> = {
  opened: "open",
  closed: "close",
  reopened: "reopen",
  updated: "update",
  accepted: "merge",
};

function noteAttributes({ note, author_id, action_name }: Activity): Record<string, unknown> {
  return {
    id: note?.id,
    note: note?.body,
    author_id,
    action: action_name === "commented on" ? "create" : action_name,
    noteable_id: note?.noteable_id,
    noteable_iid: note?.noteable_iid,
    noteable_type: note?.noteable_type,
    created_at: note?.created_at,
    system: false,
  };
}

function emojiAttributes(event: Activity): Record<string, unknown> {
  return { user_id: event.author_id, name: event.target_title, awardable_id: event.target_id, action: "award" };
}

/** The creation of a subgroup, or a new member. */
function groupPayload(world: World, event: Activity, group: Group): Record<string, unknown> {
  const { created_at } = event;
  const parent = { name: group.name, path: group.path, full_path: group.full_path };
  const made = event.target_type === "Group" ? world.store.table(groups).get(event.target_id ?? 0) : undefined;
  if (made !== undefined) {
    return {
      event_name: "subgroup_create",
      created_at,
      updated_at: created_at,
      group_id: made.id,
      name: made.name,
      path: made.path,
      full_path: made.full_path,
      parent_group_id: group.id,
      parent_name: parent.name,
      parent_path: parent.path,
      parent_full_path: parent.full_path,
    };
  }
  const member = world.store.table(users).get(event.target_id ?? 0);
  return {
    event_name: "user_add_to_group",
    created_at,
    updated_at: created_at,
    group_id: group.id,
    group_name: group.name,
    group_path: group.path,
    user_id: member?.id ?? null,
    user_name: member?.name ?? "",
    user_username: member?.username ?? "",
    user_email: emailOf(member),
  };
}

function projectSummary(world: World, project: Project): Record<string, unknown> {
  const web_url = `${world.url}/${project.path_with_namespace}`;
  return {
    id: project.id,
    name: project.name,
    description: project.description,
    web_url,
    avatar_url: null,
    git_http_url: `${web_url}.git`,
    namespace: project.name_with_namespace.split(" / ").slice(0, -1).join(" / "),
    visibility_level: { private: 0, internal: 10, public: 20 }[project.visibility],
    path_with_namespace: project.path_with_namespace,
    default_branch: project.default_branch,
    homepage: web_url,
  };
}

function repositorySummary(world: World, project: Project): Record<string, unknown> {
  const homepage = `${world.url}/${project.path_with_namespace}`;
  return { name: project.name, url: `${homepage}.git`, description: project.description, homepage };
}

function refOf(push: PushData): string {
  return `refs/${push.ref_type === "tag" ? "tags" : "heads"}/${push.ref}`;
}

/** Only the user's public email. */
function emailOf(actor: User | undefined): string {
  return actor?.public_email ?? "";
}

function avatarOf(world: World, actor: User | undefined): string | null {
  return actor?.has_avatar ? `${world.url}/uploads/-/system/user/avatar/${actor.id}/avatar.png` : null;
}
