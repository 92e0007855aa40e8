import { type Call, checkUnmodifiedSince } from "../call.ts";
import { projects } from "../model.ts";
import { boolean, oneOf, type Param, required, string } from "../params.ts";
import { badRequest, invalid, type Problem } from "../problem.ts";
import { created, noContent, ok } from "../reply.ts";
import { addCommit, addFile, findFile, findRef, moveBranch, resolve } from "../repository/history.ts";
import type { Commit, FileEntry } from "../repository/model.ts";
import { commits } from "../repository/model.ts";
import type { Router } from "../router.ts";

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
  router.on(`POST ${path}`, { access, params: { ...commitParams, ...contentParams } }, (call) => {
    const start = startOf(call);
    if (start.file !== undefined) throw refused();
    return created(write(call, start, contentOf(call.params)));
  });
  router.on(`PUT ${path}`, { access, params: { ...commitParams, ...contentParams, ...guard } }, (call) => {
    const start = startOf(call);
    const { params } = call;
    if (start.file === undefined || moved(start, params.last_commit_id)) throw refused();
    return ok(write(call, start, contentOf(params)));
  });
  router.on(`DELETE ${path}`, { access, params: { ...commitParams, ...guard } }, (call) => {
    const start = startOf(call);
    if (start.file === undefined || moved(start, call.params.last_commit_id)) throw refused();
    checkUnmodifiedSince(call, start.file.last.committed_date);
    put(call, start, null);
    return noContent();
  });
}

/** Whatever makes a commit fail, the answer does not say which it was. */
function refused(): Problem {
  return badRequest("the commit could not be created");
}

type CommitParams = { [K in keyof typeof commitParams]: (typeof commitParams)[K] };
type Committing = Call<CommitParams & Record<string, Param<unknown>>, typeof access>;

/** What a commit is made upon. */
interface Start {
  readonly tip: Commit | undefined;
  readonly file: { readonly entry: FileEntry; readonly last: Commit } | undefined;
}

function startOf({ world, project, params }: Committing): Start {
  const { file_path, branch, start_branch } = params;
  if (/(?:^|\/)\.\.?(?:\/|$)|^\/|\/\/|\/$/.test(file_path)) throw refused();
  const exists = findRef(world, project, branch, "branch") !== undefined;
  // The first commit of all makes the branch by itself.
  const isEmpty = world.store.table(commits).find((one) => one.project_id === project.id) === undefined;
  if (exists ? start_branch !== undefined && start_branch !== branch : start_branch === undefined && !isEmpty) {
    throw refused();
  }
  const from = exists ? branch : start_branch;
  const tip =
    from === undefined || findRef(world, project, from, "branch") === undefined
      ? undefined
      : resolve(world, project, from);
  if (tip === undefined && !isEmpty) throw refused();
  return { tip, file: tip && findFile(world, tip, file_path) };
}

function moved({ file }: Start, seen: string | undefined): boolean {
  return seen !== undefined && file?.last.sha !== seen;
}

function contentOf({ content, encoding }: { content: string; encoding: "base64" | "text" | undefined }): Buffer {
  if (encoding !== "base64") return Buffer.from(content);
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(content)) throw invalid({ content: ["is not valid base64"] });
  return Buffer.from(content, "base64");
}

function write(
  call: Committing & { params: { execute_filemode: boolean | undefined } },
  start: Start,
  content: Buffer,
) {
  const before = start.file?.entry;
  const entry = addFile(call.world, content, call.params.execute_filemode ?? before?.executable ?? false);
  // A commit that changes nothing is none.
  if (before !== undefined && before.sha === entry.sha && before.executable === entry.executable) {
    call.world.store.blobs.delete(entry.blob);
    throw refused();
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
