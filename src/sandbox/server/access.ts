import {
  type Group,
  groups,
  members,
  type Project,
  projects,
  type Role,
  roles,
  type Scope,
  shares,
  type Token,
  tokens,
  type User,
  users,
} from "../store/model.ts";
import type { World } from "../store/world.ts";
import { forbidden, insufficientScope, invalidToken, notFound, Problem, unauthorized } from "./problem.ts";

/** The access level that an administrator has everywhere. */
const ADMINISTRATOR = 60;

/**
 * The access that a route requires. `user`, the default, means any signed-in user. A role is the minimum in the project
 * or group that the path names; administrators always have access. With `public`, visible resources can be read without
 * the role, and public ones without a token. `open` ignores tokens.
 */
export type Access =
  | { readonly user: true }
  | { readonly anonymous: true }
  | { readonly open: true }
  | { readonly administrator: true }
  | { readonly project: Role; readonly public?: true }
  | { readonly group: Role; readonly public?: true };

/** The caller of a request, from its token. */
export interface Caller {
  readonly user: User | undefined;
  readonly token: Token | undefined;
}

interface Credentials {
  readonly header: (name: string) => string | undefined;
  readonly query: URLSearchParams;
}

/** A route's requirements for tokens. */
export interface TokenRules {
  /** Whether job tokens are accepted (1-project-api: Authentication). */
  readonly jobToken?: boolean;
  /** Whether public resources can be read without a token; then a job token that is not accepted is ignored. */
  readonly public?: boolean;
  /** Scopes besides `api` that allow reading. */
  readonly scopes?: readonly Scope[];
}

/** Identifies the caller, or throws the 401 or 403 for a bad token (1-project-api: Authentication). */
export function authenticate(world: World, credentials: Credentials, reads: boolean, rules: TokenRules): Caller {
  const personal = credentials.header("private-token") ?? bearer(credentials.header("authorization"));
  if (personal !== undefined) {
    const token = findToken(world, personal, "personal");
    checkScope(token, reads, rules.scopes ?? ["read_api"]);
    return { user: tokenUser(world, token), token };
  }
  const job = credentials.header("job-token") ?? (rules.jobToken ? credentials.query.get("job_token") : null);
  if (job === null || job === undefined) return { user: undefined, token: undefined };
  if (!rules.jobToken) {
    // Real instances ignore the token on every route that does not accept it.
    if (world.asDeployed || (reads && rules.public)) return { user: undefined, token: undefined };
    throw unauthorized();
  }
  const token = findToken(world, job, "job");
  return { user: tokenUser(world, token), token };
}

function bearer(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}

function findToken(world: World, text: string, kind: Token["kind"]): Token {
  const token = world.store.table(tokens).find((candidate) => candidate.token === text && candidate.kind === kind);
  if (token === undefined) throw unauthorized();
  if (token.revoked) throw invalidToken("Token was revoked. You have to re-authorize from the user.");
  if (token.expires_at !== null && token.expires_at <= world.timestamp()) {
    throw invalidToken("Token is expired. You can either do re-authorization or token refresh.");
  }
  return token;
}

function checkScope(token: Token, reads: boolean, readScopes: readonly Scope[]): void {
  if (token.permissions !== undefined) return;
  const enough: readonly Scope[] = reads ? ["api", ...readScopes] : ["api"];
  if (!token.scopes.some((scope) => enough.includes(scope))) throw insufficientScope(enough.join(" "));
}

function tokenUser(world: World, token: Token): User {
  const user = world.store.table(users).get(token.user_id);
  if (user === undefined) throw unauthorized();
  if (user.state === "blocked" || user.state === "banned") throw forbidden("Your account has been blocked.");
  return user;
}

/** A group and its ancestors, innermost first. */
export function lineage(world: World, groupId: number | null): Group[] {
  const chain: Group[] = [];
  let at = groupId;
  while (at !== null) {
    const group = world.store.table(groups).get(at);
    if (group === undefined || chain.includes(group)) break;
    chain.push(group);
    at = group.parent_id;
  }
  return chain;
}

/** The user's access level in a project or group, including inherited ones: 0 for none, 60 for an administrator. */
export function accessLevel(world: World, user: User | undefined, to: { project: Project } | { group: Group }): number {
  if (user === undefined) return 0;
  if (user.admin) return ADMINISTRATOR;
  const chain = lineage(world, "project" in to ? to.project.namespace_id : to.group.id);
  const held = world.store
    .table(members)
    .where(
      (member) =>
        member.user_id === user.id &&
        (member.source_type === "group"
          ? chain.some((group) => group.id === member.source_id)
          : "project" in to && member.source_id === to.project.id),
    );
  const shared = "project" in to ? sharedLevels(world, user, to.project) : [];
  return Math.max(0, ...held.map((member) => member.access_level), ...shared);
}

/** The levels that the user has in a project because it is shared with groups. */
function sharedLevels(world: World, user: User, project: Project): number[] {
  return world.store
    .table(shares)
    .where((share) => share.project_id === project.id)
    .flatMap((share) => {
      const group = world.store.table(groups).get(share.group_id);
      return group === undefined
        ? []
        : [Math.min(share.access_level ?? roles.developer, accessLevel(world, user, { group }))];
    });
}

/** Whether a project or group is visible to everyone, or to all signed-in users who are not external. */
function isOpenTo(user: User | undefined, what: { visibility: Project["visibility"] }): boolean {
  if (what.visibility === "public") return true;
  if (user === undefined) return false;
  return user.auditor || (what.visibility === "internal" && !user.external);
}

/** A private project is visible only to its members, including inherited ones. */
export function canSeeProject(world: World, user: User | undefined, project: Project): boolean {
  return isOpenTo(user, project) || accessLevel(world, user, { project }) > 0;
}

/** A private group is also visible to members of anything inside it. */
export function canSeeGroup(world: World, user: User | undefined, group: Group): boolean {
  return isOpenTo(user, group) || (user !== undefined && isInGroup(world, user, group));
}

/** Whether a user is a member of a group, or of something above or below it. */
export function isInGroup(world: World, user: User, group: Group): boolean {
  if (accessLevel(world, user, { group }) > 0) return true;
  const inside = (id: number | null) => lineage(world, id).some((ancestor) => ancestor.id === group.id);
  return world.store
    .table(members)
    .where((member) => member.user_id === user.id)
    .some((member) =>
      inside(
        member.source_type === "group"
          ? member.source_id
          : (world.store.table(projects).get(member.source_id)?.namespace_id ?? null),
      ),
    );
}

/** A project by id or full path. A former path is answered with a 301 to the current one. */
export function findProject(world: World, idOrPath: string, moved: (project: Project) => string): Project | undefined {
  const table = world.store.table(projects);
  if (/^\d+$/.test(idOrPath)) return table.get(Number(idOrPath));
  const path = idOrPath.toLowerCase();
  const project = table.find((candidate) => candidate.path_with_namespace.toLowerCase() === path);
  if (project !== undefined) return project;
  const former = table.find((candidate) => candidate.former_paths.includes(path));
  if (former !== undefined) throw new Problem(301, { message: "301 Moved Permanently" }, { location: moved(former) });
  return undefined;
}

/** A group by id or full path. */
export function findGroup(world: World, idOrPath: string): Group | undefined {
  const table = world.store.table(groups);
  if (/^\d+$/.test(idOrPath)) return table.get(Number(idOrPath));
  return table.find((group) => group.full_path.toLowerCase() === idOrPath.toLowerCase());
}

interface Asked {
  readonly caller: Caller;
  readonly least: Role;
  readonly public: boolean;
}

/** The project and the caller's level. Throws 404 if it is hidden, 401 without a token, 403 if the level is too low. */
export function admitToProject(world: World, project: Project | undefined, asked: Asked): number {
  const { user } = asked.caller;
  if (user === undefined && !asked.public && !world.asDeployed) throw unauthorized();
  if (project === undefined || !canSeeProject(world, user, project)) throw notFound("Project");
  return enough(accessLevel(world, user, { project }), asked);
}

/** The same for a group. */
export function admitToGroup(world: World, group: Group | undefined, asked: Asked): number {
  const { user } = asked.caller;
  if (user === undefined && !asked.public && !world.asDeployed) throw unauthorized();
  if (group === undefined || !canSeeGroup(world, user, group)) throw notFound("Group");
  return enough(accessLevel(world, user, { group }), asked);
}

function enough(level: number, asked: Asked): number {
  if (!asked.public && level < roles[asked.least]) throw forbidden();
  return level;
}
