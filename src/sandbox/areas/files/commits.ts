import { type Call, checkUnmodifiedSince } from "../../server/call.ts";
import { boolean, oneOf, type Param, required, string } from "../../server/params.ts";
import { badRequest, invalid, Problem } from "../../server/problem.ts";
import { created, noContent, ok } from "../../server/reply.ts";
import type { Router } from "../../server/router.ts";
import { projects, roles } from "../../store/model.ts";
import { isInLargeStorage } from "./attributes.ts";
import { addCommit, addFile, findFile, findRef, moveBranch, resolve } from "./history.ts";
import { addLargeFile } from "./large-files.ts";
import type { Commit, FileEntry } from "./model.ts";
import { commits } from "./model.ts";
import { withStoredBreaks } from "./stored-text.ts";

const commitParams = {
  file_path: required(string()),
  branch: required(string({ min: 1 })),
  commit_message: required(string({ min: 1 })),
  author_email: string(),
  author_name: string(),
  start_branch: string(),
};
const contentParams = {
  content: required(string()),
  encoding: oneOf(["base64", "text"]),
  execute_filemode: boolean(),
};
const guard = { last_commit_id: string() };
const path = "/projects/:id/repository/files/:file_path";
const access = { project: "developer" } as const;

/** Commits of one file: 1-project-api: Repository files. */
export function writeFiles(router: Router): void {
  router.on(`POST ${path}`, { access, params: { ...commitParams, ...contentParams } }, async (call) => {
    const content = await storedContent(call);
    const start = startOf(call);
    if (start.file !== undefined) throw refused(call, "A file with this name already exists");
    return created(write(call, start, content()));
  });
  router.on(`PUT ${path}`, { access, params: { ...commitParams, ...contentParams, ...guard } }, async (call) => {
    const content = await storedContent(call);
    const start = startOf(call);
    const { params } = call;
    if (moved(call, start, params.last_commit_id)) throw refused(call, changedSince);
    if (start.file === undefined) throw refused(call, noSuchFile);
    return ok(write(call, start, content()));
  });
  router.on(`DELETE ${path}`, { access, params: { ...commitParams, ...guard } }, (call) => {
    const start = startOf(call);
    if (start.file === undefined) throw refused(call, noSuchFile);
    // Real instances ignore this parameter of DELETE, so the conflict is not detected.
    if (!call.world.asDeployed && moved(call, start, call.params.last_commit_id)) throw refused(call, changedSince);
    checkUnmodifiedSince(call, start.file.last.committed_date);
    put(call, start, null);
    return noContent();
  });
}

const noSuchFile = "A file with this name doesn't exist";
const changedSince = "You are attempting to update a file that has changed since you started editing it.";
/** This word in a commit message simulates a concurrent push. */
const contested = "sandbox-race";

/** The documents do not say how the answer gives the cause of a failed commit; real instances name it. */
function refused({ world }: Pick<Call, "world">, sentence: string): Problem {
  if (world.asDeployed) return new Problem(400, { message: sentence });
  return failed();
}

function failed(): Problem {
  return badRequest("the commit could not be created");
}

type CommitParams = { [K in keyof typeof commitParams]: (typeof commitParams)[K] };
type Writing = { params: { content: string; encoding: "base64" | "text" | undefined } };
type Committing = Call<CommitParams & Record<string, Param<unknown>>, typeof access>;

/** The base of a new commit. */
interface Start {
  readonly tip: Commit | undefined;
  readonly file: { readonly entry: FileEntry; readonly last: Commit } | undefined;
}

function startOf(call: Committing): Start {
  const { world, project, params } = call;
  const { file_path, branch, start_branch } = params;
  if (/(?:^|\/)\.\.?(?:\/|$)|^\/|\/\/|\/$/.test(file_path)) {
    if (world.asDeployed) throw new Problem(400, { error: "file_path should be a valid file path" });
    throw failed();
  }
  if (world.asDeployed) checkDeployed(call);
  const branchRef = findRef(world, project, branch, "branch");
  const exists = branchRef !== undefined;
  // The first commit of a repository creates its branch.
  const isEmpty = world.store.table(commits).find((one) => one.project_id === project.id) === undefined;
  if (!exists && start_branch === undefined && !isEmpty) throw refused(call, notOnBranch);
  if (exists && start_branch !== undefined && start_branch !== branch) {
    throw refused(call, `A branch called '${branch}' already exists. Switch to that branch in order to make changes`);
  }
  const from = branchRef ?? (start_branch === undefined ? undefined : findRef(world, project, start_branch, "branch"));
  const tip = from === undefined ? undefined : resolve(world, project, from.sha);
  if (tip === undefined && !isEmpty) throw refused(call, notOnBranch);
  return { tip, file: tip && findFile(world, tip, file_path) };
}

const notOnBranch = "You can only create or edit files when you are on a branch";

/** Real instances protect the default branch, and may detect a concurrent push. */
function checkDeployed(call: Committing): void {
  const { project, params, level } = call;
  if (params.branch === project.default_branch && level < roles.maintainer) {
    throw refused(call, "You are not allowed to push into this branch");
  }
  if (params.commit_message.includes(contested)) {
    throw refused(call, `Could not update refs/heads/${params.branch}. Please refresh and try again.`);
  }
}

/** Real instances compare with the file as of the commit that is given, and pass one that has no such file. */
function moved({ world, project, params }: Committing, { file }: Start, seen: string | undefined): boolean {
  if (seen === undefined) return false;
  if (!world.asDeployed) return file?.last.sha !== seen;
  const at = resolve(world, project, seen);
  const then = at && findFile(world, at, params.file_path);
  return then !== undefined && file !== undefined && file.last.sha !== then.last.sha;
}

function contentOf({ content, encoding }: { content: string; encoding: "base64" | "text" | undefined }): Buffer {
  if (encoding !== "base64") return Buffer.from(content);
  if (!/^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/.test(content)) throw invalid({ content: ["is not valid base64"] });
  return Buffer.from(content, "base64");
}

/**
 * What is committed: on real instances, a pointer to content that `.gitattributes` puts into large file storage, and LF
 * in place of CRLF.
 */
async function storedContent(call: Committing & Writing): Promise<() => Buffer> {
  const { world, project, params } = call;
  const tip = resolve(world, project, `refs/heads/${params.start_branch ?? params.branch}`);
  const attributes = tip && findFile(world, tip, ".gitattributes")?.entry;
  const rules = attributes && world.asDeployed ? (await world.store.blobs.read(attributes.blob)).toString() : "";
  const isLarge = isInLargeStorage(rules, params.file_path);
  return () => {
    if (isLarge) return addLargeFile(world, project.id, contentOf(params));
    return world.asDeployed ? withStoredBreaks(rules, params.file_path, contentOf(params)) : contentOf(params);
  };
}

function write(
  call: Committing & { params: { execute_filemode: boolean | undefined } },
  start: Start,
  content: Buffer,
) {
  const before = start.file?.entry;
  const entry = addFile(call.world, content, call.params.execute_filemode ?? before?.executable ?? false);
  // A commit without changes is refused, except on real instances, which create an empty one.
  if (
    !call.world.asDeployed &&
    before !== undefined &&
    before.sha === entry.sha &&
    before.executable === entry.executable
  ) {
    call.world.store.blobs.delete(entry.blob);
    throw failed();
  }
  put(call, start, entry);
  return { file_path: call.params.file_path, branch: call.params.branch };
}

function put({ world, project, user, params }: Committing, { tip }: Start, entry: FileEntry | null): void {
  const self = { name: user.name, email: user.email };
  const { branch, file_path, commit_message, author_name, author_email } = params;
  const isNew = findRef(world, project, branch, "branch") === undefined;
  const commit = addCommit(world, {
    project_id: project.id,
    parent: tip,
    author: { name: author_name ?? self.name, email: author_email ?? self.email },
    committer: self,
    date: world.timestamp(),
    message: commit_message,
    changes: { [file_path]: entry },
  });
  moveBranch(world, project.id, branch, commit);
  world.store.table(projects).update(project.id, { last_activity_at: commit.committed_date });
  world.record({
    author_id: user.id,
    project_id: project.id,
    action_name: "pushed",
    push_data: {
      commit_count: 1,
      action: isNew ? "created" : "pushed",
      ref_type: "branch",
      commit_from: isNew ? null : (tip?.sha ?? null),
      commit_to: commit.sha,
      ref: branch,
      commit_title: commit_message.split("\n", 1)[0] ?? "",
    },
  });
}
