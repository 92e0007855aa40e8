import { groups, type Member, members, projects, roles, type Visibility } from "../../store/model.ts";
import { createRandom } from "../../store/random.ts";
import { daysAgo } from "../../store/time.ts";
import type { World } from "../../store/world.ts";
import { people } from "./people.ts";

/** Group paths with their visibility; the position is the id. */
const groupPlan: readonly (readonly [path: string, name: string, visibility: Visibility])[] = [
  ["acme", "Acme", "public"],
  ["acme/platform", "Platform", "internal"],
  ["acme/platform/infrastructure", "Infrastructure", "private"],
  ["acme/mobile", "Mobile", "public"],
  ["globex", "Globex", "private"],
  ["globex/research", "Research", "private"],
  ["initech", "Initech", "internal"],
  ["open-tools", "Open Tools", "public"],
  ["open-tools/plugins", "Plugins", "public"],
];

interface ProjectPlan {
  readonly path: string;
  readonly name: string;
  readonly visibility: Visibility;
  readonly topics: readonly string[];
  readonly former?: string;
}

/** Projects; the position is the id. */
const projectPlan: readonly ProjectPlan[] = [
  { path: "acme/website", name: "Website", visibility: "public", topics: ["marketing", "static-site"] },
  { path: "acme/docs", name: "Docs", visibility: "public", topics: ["documentation"] },
  { path: "acme/platform/gateway", name: "Gateway", visibility: "internal", topics: ["go", "api"] },
  { path: "acme/platform/billing", name: "Billing", visibility: "private", topics: ["payments"] },
  {
    path: "acme/platform/infrastructure/terraform",
    name: "Terraform",
    visibility: "private",
    topics: ["infrastructure"],
  },
  { path: "acme/mobile/ios-app", name: "iOS App", visibility: "internal", topics: ["swift", "mobile"] },
  {
    path: "acme/storefront",
    name: "Storefront",
    visibility: "public",
    topics: ["shop", "typescript"],
    former: "acme/shop",
  },
  { path: "acme/mobile/android-app", name: "Android App", visibility: "internal", topics: ["kotlin", "mobile"] },
  { path: "globex/crm", name: "CRM", visibility: "private", topics: [] },
  { path: "globex/research/notebooks", name: "Notebooks", visibility: "private", topics: ["python"] },
  { path: "initech/tps-reports", name: "TPS Reports", visibility: "internal", topics: ["java"] },
  { path: "open-tools/cli", name: "CLI", visibility: "public", topics: ["rust", "command-line"] },
  { path: "open-tools/plugins/linter", name: "Linter", visibility: "public", topics: ["lint"] },
  { path: "open-tools/charts", name: "Charts", visibility: "public", topics: ["helm"] },
];

/** Adds the groups and projects with their members. */
export function seedPlaces(world: World): void {
  const now = world.now();
  const random = createRandom(7_041_776);
  const byPath = new Map<string, { readonly id: number; readonly full_name: string }>();
  for (const [index, [full_path, name, visibility]] of groupPlan.entries()) {
    const parent = byPath.get(parentOf(full_path));
    const group = world.store.table(groups).insert({
      name,
      path: full_path.slice(full_path.lastIndexOf("/") + 1),
      full_path,
      full_name: parent === undefined ? name : `${parent.full_name} / ${name}`,
      parent_id: parent?.id ?? null,
      description: `Everything of ${name}.`,
      visibility,
      created_at: daysAgo(now, 1700 - index * 60),
    });
    byPath.set(full_path, group);
  }
  for (const [index, plan] of projectPlan.entries()) {
    const namespace = byPath.get(parentOf(plan.path));
    if (namespace === undefined) throw new Error(`no group for ${plan.path}`);
    world.store.table(projects).insert({
      name: plan.name,
      path: plan.path.slice(plan.path.lastIndexOf("/") + 1),
      path_with_namespace: plan.path,
      name_with_namespace: `${namespace.full_name} / ${plan.name}`,
      namespace_id: namespace.id,
      description: `The ${plan.name} project.`,
      visibility: plan.visibility,
      default_branch: "main",
      topics: plan.topics,
      star_count: random.below(60),
      created_at: daysAgo(now, 1500 - index * 45 + 0.4),
      last_activity_at: daysAgo(now, random.below(12) + 0.3),
      former_paths: plan.former === undefined ? [] : [plan.former],
      container_registry_access_level: "enabled",
    });
  }
  seedMembers(world);
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** Named users have their roles in group 1 and everything in it; generated users are spread over all groups. */
function seedMembers(world: World): void {
  const add = (member: Omit<Member, "id">) => world.store.table(members).insert(member);
  const random = createRandom(31_415);
  for (const role of ["owner", "maintainer", "developer", "planner", "reporter", "guest"] as const) {
    add({ user_id: people[role], source_type: "group", source_id: 1, access_level: roles[role] });
  }
  for (const source_id of [1, 5, 7, 8])
    add({ user_id: people.root, source_type: "group", source_id, access_level: 50 });
  add({ user_id: people.blocked, source_type: "group", source_id: 1, access_level: roles.developer });
  add({ user_id: people.serviceAccount, source_type: "group", source_id: 1, access_level: roles.developer });
  add({ user_id: people.projectBot, source_type: "project", source_id: 7, access_level: roles.maintainer });
  add({ user_id: people.groupBot, source_type: "group", source_id: 5, access_level: roles.reporter });
  const levels = [10, 15, 20, 30, 30, 30, 30, 40, 50];
  const firstOfCrowd = Math.max(...Object.values(people)) + 1;
  // One in seven has no membership: instances have such users, and a filter finds them.
  for (let user_id = firstOfCrowd; user_id <= 300; user_id += 1) {
    if (random.percent(14)) continue;
    const source_type = random.percent(45) ? "group" : "project";
    const source_id = 1 + random.below(source_type === "group" ? groupPlan.length : projectPlan.length);
    add({ user_id, source_type, source_id, access_level: random.pick(levels) });
  }
}
