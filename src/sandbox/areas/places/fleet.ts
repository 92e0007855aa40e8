import { groups, members, type Project, projects, roles, shares, users } from "../../store/model.ts";
import { daysAgo } from "../../store/time.ts";
import type { World } from "../../store/world.ts";
import { people } from "./people.ts";

/**
 * Projects with what a list of an instance's projects has besides the usual: an archived one, one that will be deleted,
 * a personal one, and one that belongs to one group and is shared with another. They have no contents.
 */
export function seedFleet(world: World): void {
  add(world, { group: "open-tools", path: "legacy-cli", name: "Legacy CLI", visibility: "public", archived: true });
  add(world, {
    group: "initech",
    // Real instances rename such projects, so that their paths are free.
    path: "old-reports-deletion_scheduled-16",
    name: "Old Reports-deletion_scheduled-16",
    visibility: "internal",
    marked_for_deletion_on: daysAgo(world.now(), 2).slice(0, 10),
  });
  addPersonal(world);
  const assets = add(world, { group: "globex", path: "brand-assets", name: "Brand Assets", visibility: "private" });
  const mobile = world.store.table(groups).find(({ full_path }) => full_path === "acme/mobile");
  if (assets === undefined || mobile === undefined) return;
  world.store.table(shares).insert({ project_id: assets.id, group_id: mobile.id, access_level: roles.reporter });
}

type Planned = Pick<Project, "path" | "name" | "visibility"> & Partial<Project> & { readonly group: string };

function add(world: World, { group: path, ...planned }: Planned): Project | undefined {
  const group = world.store.table(groups).find(({ full_path }) => full_path === path);
  return group && insert(world, { id: group.id, path: group.full_path, name: group.full_name }, planned);
}

function addPersonal(world: World): void {
  const owner = world.store.table(users).get(people.owner);
  if (owner === undefined) return;
  const namespace = { id: owner.namespace_id, path: owner.username, name: owner.name };
  const { id } = insert(world, namespace, { path: "dotfiles", name: "Dotfiles", visibility: "private" });
  const access_level = roles.owner;
  world.store.table(members).insert({ user_id: owner.id, source_type: "project", source_id: id, access_level });
}

function insert(
  world: World,
  namespace: { readonly id: number; readonly path: string; readonly name: string },
  planned: Pick<Project, "path" | "name" | "visibility"> & Partial<Project>,
): Project {
  return world.store.table(projects).insert({
    path_with_namespace: `${namespace.path}/${planned.path}`,
    name_with_namespace: `${namespace.name} / ${planned.name}`,
    namespace_id: namespace.id,
    description: "",
    default_branch: "main",
    topics: [],
    star_count: 0,
    created_at: daysAgo(world.now(), 400),
    last_activity_at: daysAgo(world.now(), 300),
    former_paths: [],
    container_registry_access_level: "enabled",
    ...planned,
  });
}
