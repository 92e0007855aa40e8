import { type Project, projects, type Timestamp } from "../../store/model.ts";
import { type Collection, cell, collection, type Row } from "../../store/store.ts";
import type { World } from "../../store/world.ts";

/** A container repository; see 1-project-api: Registry repository. */
export interface Repository extends Row {
  readonly project_id: number;
  /** Path below the project's; empty for the project's root repository. */
  readonly name: string;
  readonly created_at: Timestamp;
  readonly cleanup_policy_started_at: Timestamp | null;
  /** When its deletion was requested. Its status, and when it disappears, are derived from this. */
  readonly deletion_requested_at: Timestamp | null;
  /** The time of the last bulk delete. */
  readonly bulk_requested_at: Timestamp | null;
}

export interface Tag extends Row {
  readonly repository_id: number;
  readonly name: string;
  /** 64 hexadecimal digits. */
  readonly revision: string;
  /** `sha256:` and hexadecimal digits; tags of one image share it. */
  readonly digest: string;
  /** The image's time, so all tags of one image share it; it is also when the tag was last pushed. */
  readonly created_at: Timestamp;
  /** When a tag that moves from image to image was first pushed; other tags were pushed once. */
  readonly first_pushed_at?: Timestamp;
  /** Bytes. */
  readonly total_size: number;
}

/** Tags that a bulk delete will delete in the background. */
interface Cleanup extends Row {
  readonly due_at: Timestamp;
  readonly tag_ids: readonly number[];
}

/** Protects the tags of a project whose names match; immutable tags have no levels, and are never deleted. */
export interface TagRule extends Row {
  readonly project_id: number;
  /** A regular expression that may match anywhere in a name. */
  readonly tag_name_pattern: string;
  readonly minimum_access_level_for_push: RuleLevel | null;
  readonly minimum_access_level_for_delete: RuleLevel | null;
}

export type RuleLevel = "maintainer" | "owner" | "admin";

export const tagRules = collection<TagRule>("registry_tag_rules");
export const repositories = collection<Repository>("registry_repositories");
export const tags = collection<Tag>("registry_tags");
const cleanups = collection<Cleanup>("registry_cleanups");

/** How long the deletion of a repository is scheduled, and then in progress. */
const SCHEDULED_MS = 300;
const ONGOING_MS = 600;
/** When each half of a bulk delete's tags is deleted. */
const CLEANUP_MS = [250, 700] as const;

/** The existing repositories, after due background work is done. */
export function liveRepositories(world: World): Repository[] {
  settle(world);
  return world.store.table(repositories).all();
}

export function findRepository(world: World, id: number): Repository | undefined {
  settle(world);
  return world.store.table(repositories).get(id);
}

export function projectOf(world: World, repository: Repository): Project {
  const project = world.store.table(projects).get(repository.project_id);
  if (project === undefined) throw new RangeError(`repository ${repository.id} without a project`);
  return project;
}

export function pathOf(world: World, repository: Repository): string {
  const { path_with_namespace: path } = projectOf(world, repository);
  return repository.name === "" ? path : `${path}/${repository.name}`;
}

/** A repository's tags, by name. */
export function tagsOf(world: World, repository: Repository): Tag[] {
  settle(world);
  const own = world.store.table(tags).where((tag) => tag.repository_id === repository.id);
  return own.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function statusOf(world: World, repository: Repository): "delete_scheduled" | "delete_ongoing" | null {
  if (repository.deletion_requested_at === null) return null;
  const age = world.now().getTime() - Date.parse(repository.deletion_requested_at);
  return age < SCHEDULED_MS ? "delete_scheduled" : "delete_ongoing";
}

/** Deletes tags in the background, in two steps, so that progress is visible. */
export function scheduleCleanup(world: World, matching: readonly Tag[]): void {
  const half = Math.ceil(matching.length / 2);
  for (const [index, ms] of CLEANUP_MS.entries()) {
    const tag_ids = matching.slice(index * half, (index + 1) * half).map((tag) => tag.id);
    world.store.table(cleanups).insert({ due_at: later(world.timestamp(), ms), tag_ids });
  }
}

/** Does due background work: a restart loses nothing, because the times are stored in the rows. */
function settle(world: World): void {
  const now = world.timestamp();
  for (const cleanup of world.store.table(cleanups).where(({ due_at }) => due_at <= now)) {
    for (const id of cleanup.tag_ids) world.store.table(tags).delete(id);
    world.store.table(cleanups).delete(cleanup.id);
  }
  const gone = ({ deletion_requested_at: asked }: Repository) =>
    asked !== null && later(asked, SCHEDULED_MS + ONGOING_MS) <= now;
  for (const { id } of world.store.table(repositories).where(gone)) {
    world.store.table(repositories).delete(id);
    deleteWhere(world, tags, (tag) => tag.repository_id === id);
  }
}

function deleteWhere<T extends Row>(world: World, from: Collection<T>, test: (row: T) => boolean): void {
  for (const { id } of world.store.table(from).where(test)) world.store.table(from).delete(id);
}

function later(instant: Timestamp, ms: number): Timestamp {
  return new Date(Date.parse(instant) + ms).toISOString();
}

/** The key that signs registry tokens. */
export const signingKey = cell("registry_signing_key", () => crypto.randomUUID());
