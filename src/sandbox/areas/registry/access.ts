import { accessLevel, canSeeProject } from "../../server/access.ts";
import { forbidden, notFound, unauthorized } from "../../server/problem.ts";
import { type Project, roles, type Token, type User } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { findRepository, type Repository } from "./model.ts";

/** On real instances, a job token never works for the registry of another project. */
export const ownJobToken = { ownJobToken: true } as const;

interface Reader {
  readonly world: World;
  readonly user: User | undefined;
  readonly token: Token | undefined;
}

/** Whether the caller may read a project's registry: by its visibility; a job token only reads its own project's. */
export function mayRead({ world, user, token }: Reader, project: Project): boolean {
  const level = project.container_registry_access_level;
  if (level === "disabled" || !canSeeProject(world, user, project)) return false;
  if (token?.kind === "job" && token.project_id !== project.id) return false;
  return level === "enabled" || accessLevel(world, user, { project }) >= roles.reporter;
}

/** The repository that a path names; throws the error if the caller may not access it. */
export function admitToRepository(call: Reader & { readonly project: Project }, id: number): Repository {
  admitToRegistry(call);
  const repository = findRepository(call.world, id);
  if (repository === undefined || repository.project_id !== call.project.id) throw notFound("Repository");
  return repository;
}

/** The same for a project's whole registry. */
export function admitToRegistry(call: Reader & { readonly project: Project }): void {
  if (call.project.container_registry_access_level === "disabled") throw notFound();
  if (mayRead(call, call.project)) return;
  throw call.user === undefined ? unauthorized() : forbidden();
}
