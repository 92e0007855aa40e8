import { projects } from "../../store/model.ts";
import { collection, type Row } from "../../store/store.ts";
import type { World } from "../../store/world.ts";
import { people } from "../places/people.ts";

/** A protected branch, or a pattern of names with `*`. */
export interface ProtectedBranch extends Row {
  readonly project_id: number;
  readonly name: string;
  readonly allow_force_push: boolean;
  readonly code_owner_approval_required: boolean;
}

/** What is limited: each has its own list of levels. */
export const limits = ["push", "merge", "unprotect"] as const;
export type Limit = (typeof limits)[number];

/** Of user, group, and level exactly one is not null, unless it is for a custom role: that has a level too. */
export interface BranchLevel extends Row {
  readonly branch_id: number;
  readonly limit: Limit;
  readonly user_id: number | null;
  readonly group_id: number | null;
  readonly access_level: number | null;
  readonly member_role_id?: number | null;
}

export const protectedBranches = collection<ProtectedBranch>("protected_branches");
export const branchLevels = collection<BranchLevel>("protected_branch_levels");

type Subject = Partial<Pick<BranchLevel, "user_id" | "group_id" | "access_level" | "member_role_id">>;

export function addLevel(world: World, branch_id: number, limit: Limit, subject: Subject): BranchLevel {
  const none = { user_id: null, group_id: null, access_level: null };
  return world.store.table(branchLevels).insert({ branch_id, limit, ...none, ...subject });
}

/** Each project's default branch is protected; the storefront's releases are too. */
export function seedProtectedBranches(world: World): void {
  for (const project of world.store.table(projects).all()) {
    const { id } = addBranch(world, project.id, project.default_branch);
    for (const limit of limits) addLevel(world, id, limit, { access_level: 40 });
  }
  const { id } = addBranch(world, 7, "release/*");
  addLevel(world, id, "push", { access_level: 0 });
  addLevel(world, id, "merge", { user_id: people.developer });
  addLevel(world, id, "merge", { group_id: 4 });
  addLevel(world, id, "unprotect", { access_level: 40 });
}

function addBranch(world: World, project_id: number, name: string): ProtectedBranch {
  const off = { allow_force_push: false, code_owner_approval_required: false };
  return world.store.table(protectedBranches).insert({ project_id, name, ...off });
}
