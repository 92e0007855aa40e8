import type { At, Kind } from "../kind.ts";
import { protectedBranchesKind } from "./branches.ts";
import { environmentsKind } from "./environments.ts";
import { hooksKind } from "./hooks.ts";
import { allowlistKind, groupsAllowlistKind, jobTokenScopeKind } from "./job-token.ts";
import { ldapLinksKind, samlLinksKind } from "./links.ts";
import { errorTrackingKind, registryVisibilityKind } from "./project.ts";
import { projectHooksKind } from "./project-hooks.ts";
import { settingsKind } from "./settings.ts";

/** Everything that a state file can declare, in the order of export and of work. */
export const kinds: readonly Kind[] = [
  settingsKind,
  hooksKind,
  samlLinksKind,
  ldapLinksKind,
  registryVisibilityKind,
  jobTokenScopeKind,
  allowlistKind,
  groupsAllowlistKind,
  environmentsKind,
  errorTrackingKind,
  projectHooksKind,
  protectedBranchesKind,
];

/** The kind of this name, as used in `--only`; undefined if there is none. */
export function findKind(name: string): Kind | undefined {
  return kinds.find((kind) => kind.name === name);
}

/** The kinds of an instance, a group, or a project, in the order of export and of changes. */
export function kindsAt(at: At): readonly Kind[] {
  return kinds.filter((kind) => kind.at === at);
}
