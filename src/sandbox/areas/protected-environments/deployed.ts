import { accessLevel } from "../../server/access.ts";
import { notFound } from "../../server/problem.ts";
import { type Project, shares, users } from "../../store/model.ts";
import type { World } from "../../store/world.ts";

/** Whom an element of a change names. */
interface Named {
  readonly user_id?: number | null | undefined;
  readonly group_id?: number | null | undefined;
  readonly _destroy?: boolean | undefined;
}

/** The routes of some real releases read what follows a dot in the name as a format: with two, none fits. */
export function beforeDot(name: string): string {
  const [before = "", after, ...more] = name.split(".");
  if (more.length > 0) throw notFound();
  return after === undefined ? name : before;
}

/** Real instances leave out the elements for users and groups without access to the project, and store the others. */
export function admitted<E extends Named>(world: World, project: Project, elements: readonly E[]): readonly E[] {
  if (!world.asDeployed) return elements;
  return elements.filter((element) => element._destroy || hasAccess(world, project, element));
}

export function hasAccess(world: World, project: Project, { user_id: user, group_id: group }: Named): boolean {
  if (isGiven(user) && accessLevel(world, world.store.table(users).get(user), { project }) === 0) return false;
  return !isGiven(group) || isShared(world, project, group);
}

function isShared(world: World, project: Project, group: number): boolean {
  return (
    world.store.table(shares).find((share) => share.project_id === project.id && share.group_id === group) !== undefined
  );
}

export function isGiven<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}
