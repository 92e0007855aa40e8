import type { Readable } from "node:stream";
import { type Group, groups, members, roles, type User, users, type Visibility } from "../../store/model.ts";
import { packTar, type TarFile, unpackTar } from "../../store/tar.ts";
import type { World } from "../../store/world.ts";
import { groupParts, type Relation, relations } from "./parts.ts";

const FORMAT = "1.0.0";
/** The maximum text in an archive, in bytes. */
const MAX_TEXT = 64 * 1024 * 1024;

interface Exported {
  readonly id: number;
  readonly parent_id: number | null;
  readonly name: string;
  readonly path: string;
  readonly description: string;
}

interface ExportedMember {
  readonly access_level: number;
  readonly user: { readonly username: string; readonly email: string };
}

/** A group with its subgroups as a gzip tar: a folder for each, and in it a file of JSON lines for each relation. */
export function packGroup(world: World, group: Group, at: Date): Buffer {
  const all = withSubgroups(world, group);
  const files: TarFile[] = [
    { path: "VERSION", content: FORMAT },
    { path: "tree/groups/_all.ndjson", content: lines(all.map(({ id }) => id)) },
  ];
  for (const each of all) {
    const { id, name, path, description, visibility, created_at } = each;
    const parent_id = each.id === group.id ? null : each.parent_id;
    const attributes = { id, parent_id, name, path, description, visibility, created_at, exported_at: at };
    files.push({ path: `tree/groups/${id}.json`, content: `${JSON.stringify(attributes)}\n` });
    files.push({ path: `tree/groups/${id}/members.ndjson`, content: lines(membersOf(world, id)) });
    for (const relation of relations) {
      if (relation === "wikis" && !world.has("premium")) continue;
      files.push({ path: `tree/groups/${id}/${relation}.ndjson`, content: lines(partsOf(world, id, relation)) });
    }
  }
  return packTar(files, at);
}

/** Parents precede their children. */
function withSubgroups(world: World, group: Group): Group[] {
  const children = world.store.table(groups).where(({ parent_id }) => parent_id === group.id);
  return [group, ...children.flatMap((child) => withSubgroups(world, child))];
}

function membersOf(world: World, groupId: number): ExportedMember[] {
  const held = world.store.table(members).where((each) => each.source_type === "group" && each.source_id === groupId);
  return held.flatMap(({ user_id, access_level }) => {
    const user = world.store.table(users).get(user_id);
    return user === undefined ? [] : [{ access_level, user: { username: user.username, email: user.email } }];
  });
}

function partsOf(world: World, groupId: number, relation: Relation): unknown[] {
  const parts = world.store.table(groupParts).where((part) => part.group_id === groupId && part.relation === relation);
  return parts.map(({ attributes }) => attributes);
}

function lines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

/** A validated archive: parents precede their children. */
export interface Archive {
  readonly groups: readonly ArchivedGroup[];
}

interface ArchivedGroup {
  readonly exported: Exported;
  readonly members: readonly ExportedMember[];
  readonly parts: readonly { readonly relation: Relation; readonly attributes: Record<string, unknown> }[];
}

/** Reads an archive; undefined if it is not a group export. */
export async function readArchive(stream: Readable): Promise<Archive | undefined> {
  const files = await unpackTar(stream, (path) => path.startsWith("tree/groups/"), MAX_TEXT);
  if (files === undefined) return undefined;
  try {
    const found = rows(files, "tree/groups/_all.ndjson").map((id) => readGroup(files, Number(id)));
    return found.length === 0 ? undefined : { groups: found };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function readGroup(files: ReadonlyMap<string, string>, id: number): ArchivedGroup {
  const [attributes] = rows(files, `tree/groups/${id}.json`);
  const { parent_id = null, name, path, description = "" } = asHash(attributes);
  if (!isGroupPath(path) || typeof name !== "string") throw new TypeError("an exported group has no name or path");
  const exported = { id, parent_id: parent_id as number | null, name, path, description: String(description) };
  const held = rows(files, `tree/groups/${id}/members.ndjson`).map((row) => {
    const { access_level, user } = asHash(row);
    const { username, email } = asHash(user);
    return { access_level: Number(access_level), user: { username: String(username), email: String(email) } };
  });
  const parts = relations.flatMap((relation) =>
    rows(files, `tree/groups/${id}/${relation}.ndjson`).map((row) => ({ relation, attributes: asHash(row) })),
  );
  return { exported, members: held, parts };
}

function rows(files: ReadonlyMap<string, string>, path: string): unknown[] {
  const text = files.get(path)?.trim() ?? "";
  return text === "" ? [] : text.split("\n").map((line) => JSON.parse(line) as unknown);
}

function asHash(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new TypeError("not an object");
  return value as Record<string, unknown>;
}

/** Letters, digits, `_`, `-`, and dots; not starting with a dash or dot, not ending with a dot or a file extension. */
export function isGroupPath(path: unknown): path is string {
  if (typeof path !== "string" || path.length > 255) return false;
  return /^[a-z0-9_][a-z0-9_.-]*$/i.test(path) && !/(?:\.|\.git|\.atom)$/i.test(path);
}

interface Target {
  readonly name: string;
  readonly path: string;
  readonly parent: Group | undefined;
  readonly importer: User;
}

/** Creates the groups of an archive. Members whose users do not exist here are omitted. */
export function unpackGroup(world: World, archive: Archive, target: Target): void {
  const made = new Map<number | null, Group>();
  // Private, or the visibility of the target group.
  const visibility: Visibility = target.parent?.visibility ?? "private";
  for (const [index, { exported, members: held, parts }] of archive.groups.entries()) {
    const { name, path } = index === 0 ? target : exported;
    const parent = index === 0 ? target.parent : made.get(exported.parent_id);
    const group = addGroup(world, { name, path, description: exported.description, visibility }, parent);
    if (parent !== undefined) announce(world, target.importer, { type: "Group", id: group.id, group: parent });
    made.set(exported.id, group);
    for (const { user, access_level } of held) {
      const known = world.store.table(users).find(({ username }) => username === user.username);
      if (known === undefined) continue;
      addMember(world, group, known, access_level);
      announce(world, target.importer, { type: "GroupMember", id: known.id, group });
    }
    for (const part of parts) world.store.table(groupParts).insert({ group_id: group.id, ...part });
    if (index === 0) addMember(world, group, target.importer, roles.owner);
  }
}

/** Group hooks receive new subgroups and members; the activity feed does not show them. */
function announce(
  world: World,
  importer: User,
  what: { type: "Group" | "GroupMember"; id: number; group: Group },
): void {
  const action_name = what.type === "Group" ? "created" : "joined";
  const target = { target_type: what.type, target_id: what.id };
  world.announce({ author_id: importer.id, group_id: what.group.id, action_name, ...target });
}

function addGroup(
  world: World,
  own: Pick<Group, "name" | "path" | "description" | "visibility">,
  parent: Group | undefined,
): Group {
  return world.store.table(groups).insert({
    ...own,
    full_path: parent === undefined ? own.path : `${parent.full_path}/${own.path}`,
    full_name: parent === undefined ? own.name : `${parent.full_name} / ${own.name}`,
    parent_id: parent?.id ?? null,
    created_at: world.timestamp(),
  });
}

/** Existing members get at least the access in the archive. */
function addMember(world: World, group: Group, user: User, access_level: number): void {
  const table = world.store.table(members);
  const at = { user_id: user.id, source_type: "group", source_id: group.id } as const;
  const present = table.find(
    (each) => each.user_id === user.id && each.source_type === "group" && each.source_id === group.id,
  );
  if (present === undefined) table.insert({ ...at, access_level });
  else table.update(present.id, { access_level: Math.max(present.access_level, access_level) });
}
