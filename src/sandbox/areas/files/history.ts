import { createHash } from "node:crypto";
import type { Project, Timestamp } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { type Commit, commits, type FileEntry, type Ref, refs } from "./model.ts";

export interface Person {
  readonly name: string;
  readonly email: string;
}

interface NewCommit {
  readonly project_id: number;
  readonly parent: Commit | undefined;
  readonly author: Person;
  readonly committer: Person;
  readonly date: Timestamp;
  readonly message: string;
  readonly changes: Commit["changes"];
}

/** Adds a commit; no ref points to it yet. */
export function addCommit(world: World, given: NewCommit): Commit {
  const { project_id, parent, author, committer, date, message, changes } = given;
  const parts = [project_id, parent?.sha ?? null, author, committer, date, message, changes];
  return world.store.table(commits).insert({
    project_id,
    sha: createHash("sha1").update(JSON.stringify(parts)).digest("hex"),
    parent: parent?.sha ?? null,
    author_name: author.name,
    author_email: author.email,
    authored_date: date,
    committer_name: committer.name,
    committer_email: committer.email,
    committed_date: date,
    message,
    changes,
  });
}

/** Stores a content and returns its entry. */
export function addFile(world: World, content: Buffer | string, executable = false): FileEntry {
  const bytes = Buffer.from(content);
  const blob = world.store.blobs.put(bytes);
  const sha = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
  return { blob: blob.id, sha, size: bytes.length, executable };
}

export function findRef(world: World, project: Project, name: string, kind: Ref["kind"]): Ref | undefined {
  return world.store.table(refs).find((ref) => ref.project_id === project.id && ref.name === name && ref.kind === kind);
}

/** Points a branch to a commit, creating the branch if necessary. */
export function moveBranch(world: World, project_id: number, name: string, commit: Commit): void {
  const table = world.store.table(refs);
  const ref = table.find((one) => one.project_id === project_id && one.kind === "branch" && one.name === name);
  if (ref === undefined) table.insert({ project_id, kind: "branch", name, sha: commit.sha });
  else table.update(ref.id, { sha: commit.sha });
}

/**
 * The commit that Git takes for a text: `HEAD`, a whole SHA, a full name (`refs/heads/main`, `tags/v1`), a tag, a
 * branch, or the first digits of a SHA (at least seven). A tag is found before a branch of the same name.
 */
export function resolve(world: World, project: Project, ref: string): Commit | undefined {
  if (/^[0-9a-f]{40}$/.test(ref)) return findCommit(world, project.id, ref);
  const named =
    ref === "HEAD" ? findRef(world, project, project.default_branch, "branch") : namedRef(world, project, ref);
  const sha = named?.sha ?? (/^[0-9a-f]{7,39}$/.test(ref) ? ref : undefined);
  return sha === undefined ? undefined : findCommit(world, project.id, sha);
}

function namedRef(world: World, project: Project, text: string): Ref | undefined {
  const [, folder, name = ""] = /^(?:refs\/)?(heads|tags)\/(.+)$/s.exec(text) ?? [];
  const whole = folder === undefined ? undefined : findRef(world, project, name, folder === "tags" ? "tag" : "branch");
  return whole ?? findRef(world, project, text, "tag") ?? findRef(world, project, text, "branch");
}

function findCommit(world: World, project_id: number, sha: string): Commit | undefined {
  return world.store.table(commits).find((one) => one.project_id === project_id && one.sha.startsWith(sha));
}

/** A commit and its ancestors, newest first. */
export function* history(world: World, from: Commit): Generator<Commit> {
  for (let at: Commit | undefined = from; at !== undefined; ) {
    yield at;
    at = at.parent === null ? undefined : findCommit(world, at.project_id, at.parent);
  }
}

/** A file as of a commit, with the last commit that changed it. */
export function findFile(world: World, at: Commit, path: string): { entry: FileEntry; last: Commit } | undefined {
  for (const commit of history(world, at)) {
    if (!Object.hasOwn(commit.changes, path)) continue;
    const entry = commit.changes[path];
    return entry == null ? undefined : { entry, last: commit };
  }
  return undefined;
}

/** The versions of a file up to a commit since it was last created, oldest first. */
export function versions(world: World, at: Commit, path: string): { entry: FileEntry; commit: Commit }[] {
  const found: { entry: FileEntry; commit: Commit }[] = [];
  for (const commit of history(world, at)) {
    if (!Object.hasOwn(commit.changes, path)) continue;
    const entry = commit.changes[path];
    if (entry == null) break;
    found.unshift({ entry, commit });
  }
  return found;
}
