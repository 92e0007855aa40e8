import type { Project, PushData, Timestamp, User } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { findFile, history, resolve } from "../files/history.ts";
import type { Commit } from "../files/model.ts";

/** The maximum number of commits listed in a payload. */
const MAX_COMMITS = 20;

interface Pushed {
  readonly project: Project;
  readonly push: PushData;
  readonly actor: User | undefined;
  /** The actor's email as shown in payloads. */
  readonly email: string;
  readonly at: Timestamp;
}

/** The commits of a push, oldest first, with the files that each changed (2-collaboration-identity-api: Events). */
export function commitsOf(world: World, pushed: Pushed): Record<string, unknown>[] {
  const { project, push } = pushed;
  if (push.commit_to === null || push.commit_count === 0) return [];
  const tip = resolve(world, project, push.commit_to);
  if (tip === undefined) return [lastOf(world, pushed, push.commit_to)];
  const listed: Commit[] = [];
  for (const commit of history(world, tip)) {
    if (commit.sha === push.commit_from || listed.length === Math.min(push.commit_count, MAX_COMMITS)) break;
    listed.unshift(commit);
  }
  return listed.map((commit) => ({
    id: commit.sha,
    message: commit.message,
    title: commit.message.split("\n", 1)[0] ?? "",
    timestamp: commit.committed_date,
    url: urlOf(world, project, commit.sha),
    author: { name: commit.author_name, email: commit.author_email },
    ...filesOf(world, project, commit),
  }));
}

/** For a push older than the stored history, the feed has only the last commit's title. */
function lastOf(world: World, { project, push, actor, email, at }: Pushed, sha: string): Record<string, unknown> {
  const title = push.commit_title ?? "";
  return {
    id: sha,
    message: `${title}\n`,
    title,
    timestamp: at,
    url: urlOf(world, project, sha),
    author: { name: actor?.name ?? "", email },
    added: [],
    modified: [],
    removed: [],
  };
}

function filesOf(world: World, project: Project, commit: Commit) {
  const files: Record<"added" | "modified" | "removed", string[]> = { added: [], modified: [], removed: [] };
  const parent = commit.parent === null ? undefined : resolve(world, project, commit.parent);
  for (const [path, entry] of Object.entries(commit.changes)) {
    const before = parent && findFile(world, parent, path);
    files[entry === null ? "removed" : before === undefined ? "added" : "modified"].push(path);
  }
  return files;
}

function urlOf(world: World, project: Project, sha: string): string {
  return `${world.url}/${project.path_with_namespace}/-/commit/${sha}`;
}
