import type { Group, Project } from "../../store/model.ts";
import { groups, users } from "../../store/model.ts";
import type { World } from "../../store/world.ts";

/** The public fields of a project in other resources (1-project-api: Job token access settings). */
export function briefProject(world: World, project: Project, origin: string): Record<string, unknown> {
  const address = new URL(origin);
  return {
    id: project.id,
    description: project.description,
    name: project.name,
    name_with_namespace: project.name_with_namespace,
    path: project.path,
    path_with_namespace: project.path_with_namespace,
    created_at: project.created_at,
    default_branch: project.default_branch,
    tag_list: project.topics,
    topics: project.topics,
    ssh_url_to_repo: `git@${address.hostname}:${project.path_with_namespace}.git`,
    http_url_to_repo: `${origin}/${project.path_with_namespace}.git`,
    web_url: `${origin}/${project.path_with_namespace}`,
    avatar_url: null,
    star_count: project.star_count,
    last_activity_at: project.last_activity_at,
    namespace: namespaceOf(world, project, origin),
  };
}

function namespaceOf(world: World, project: Project, origin: string): Record<string, unknown> | null {
  const group = world.store.table(groups).get(project.namespace_id);
  if (group === undefined) return userNamespace(world, project, origin);
  const { id, name, path, full_path, parent_id } = group;
  return { id, name, path, kind: "group", full_path, parent_id, avatar_url: null, web_url: groupUrl(group, origin) };
}

/** The namespace of a personal project. */
function userNamespace(world: World, project: Project, origin: string): Record<string, unknown> | null {
  const owner = world.store.table(users).find(({ namespace_id }) => namespace_id === project.namespace_id);
  if (owner === undefined) return null;
  const { namespace_id: id, name, username: path } = owner;
  const web_url = `${origin}/${path}`;
  return { id, name, path, kind: "user", full_path: path, parent_id: null, avatar_url: null, web_url };
}

export function groupUrl(group: Group, origin: string): string {
  return `${origin}/groups/${group.full_path}`;
}
