import { shares, type Timestamp } from "../../store/model.ts";
import { collection, type Row } from "../../store/store.ts";
import { daysAgo } from "../../store/time.ts";
import type { World } from "../../store/world.ts";
import { people } from "../places/people.ts";

export interface ProtectedEnvironment extends Row {
  readonly project_id: number;
  readonly name: string;
  readonly updated_at: Timestamp;
}

/** A deploy access level or an approval rule: exactly one of user, group, and level is not null. */
export interface Rule extends Row {
  readonly environment_id: number;
  readonly user_id: number | null;
  readonly group_id: number | null;
  readonly access_level: number | null;
  readonly group_inheritance_type: number;
  /** Used only in approval rules. */
  readonly required_approvals: number;
}

export const protectedEnvironments = collection<ProtectedEnvironment>("protected_environments");
export const deployLevels = collection<Rule>("deploy_access_levels");
export const approvalRules = collection<Rule>("approval_rules");

/** Environments of the storefront, which is shared with two groups, and of the gateway. */
export function seedProtectedEnvironments(world: World): void {
  const { store } = world;
  for (const group_id of [4, 8]) store.table(shares).insert({ project_id: 7, group_id });
  const protect = (project_id: number, name: string, days: number) =>
    store.table(protectedEnvironments).insert({ project_id, name, updated_at: daysAgo(world.now(), days) }).id;
  const rule = (environment_id: number, given: Partial<Rule>) => ({
    environment_id,
    user_id: null,
    group_id: null,
    access_level: null,
    group_inheritance_type: 0,
    required_approvals: 1,
    ...given,
  });
  const production = protect(7, "production", 200);
  store.table(deployLevels).insert(rule(production, { access_level: 40 }));
  store.table(deployLevels).insert(rule(production, { user_id: people.developer }));
  store.table(deployLevels).insert(rule(production, { group_id: 4, group_inheritance_type: 1 }));
  store.table(approvalRules).insert(rule(production, { access_level: 40, required_approvals: 2 }));
  store.table(approvalRules).insert(rule(production, { user_id: people.owner }));
  const staging = protect(7, "staging/eu", 120);
  store.table(deployLevels).insert(rule(staging, { access_level: 30 }));
  const gateway = protect(3, "production", 90);
  store.table(deployLevels).insert(rule(gateway, { access_level: 60 }));
}
