import { createHash } from "node:crypto";
import type { Access } from "../../server/access.ts";
import type { Call } from "../../server/call.ts";
import { download } from "../../server/download.ts";
import { boolean, hash, integer, required, string, type Values } from "../../server/params.ts";
import { badRequest, forbidden, invalid, notFound } from "../../server/problem.ts";
import { ok } from "../../server/reply.ts";
import type { Area, Router } from "../../server/router.ts";
import { roles } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { blame } from "./blame.ts";
import { writeFiles } from "./commits.ts";
import { findFile, resolve } from "./history.ts";
import { type Commit, type FileEntry, largeFiles } from "./model.ts";
import { seedRepositories } from "./seed.ts";
import { converted } from "./stored-text.ts";

/** Repository files: 1-project-api: Repository files. */
export const filesArea: Area = {
  name: "files",
  seed: seedRepositories,
  routes(router) {
    getFile(router);
    getBlame(router);
    getRaw(router);
    writeFiles(router);
  },
};

const readable = {
  access: { project: "reporter", public: true },
  scopes: ["read_api", "read_repository"],
} as const;
type Reading = Call<
  { file_path: ReturnType<typeof required<string | undefined>> },
  (typeof readable)["access"] & Access
>;

/** A requested file. */
interface Found {
  readonly path: string;
  readonly ref: string;
  readonly commit: Commit;
  readonly entry: FileEntry;
  readonly last: Commit;
  /** As an answer shows it; the raw content is the file's own. */
  readonly content: Buffer;
}

async function find(call: Reading, ref: string | undefined): Promise<Found> {
  const { world, project, level, params } = call;
  // Code of a public project is public too; a private project requires the Reporter role.
  if (project.visibility === "private" && level < roles.reporter) throw forbidden();
  const path = params.file_path;
  if (/(?:^|\/)\.\.(?:\/|$)/.test(path)) throw invalid({ file_path: ["should be a valid file path"] });
  const commit = resolve(world, project, ref ?? project.default_branch);
  if (commit === undefined) throw notFound("Commit");
  const found = findFile(world, commit, path);
  if (found === undefined) throw notFound("File");
  const stored = await world.store.blobs.read(found.entry.blob);
  const content = world.asDeployed ? converted(stored) : stored;
  return { path, ref: ref ?? project.default_branch, commit, content, ...found };
}

function factsOf({ path, ref, commit, entry, last, content }: Found) {
  return {
    file_name: path.slice(path.lastIndexOf("/") + 1),
    file_path: path,
    size: entry.size,
    encoding: "base64",
    content_sha256: createHash("sha256").update(content).digest("hex"),
    ref,
    blob_id: entry.sha,
    commit_id: commit.sha,
    last_commit_id: last.sha,
    execute_filemode: entry.executable,
  };
}

/** `X-Service-Blob-Id` and the others. Headers are bytes: non-ASCII names are sent as UTF-8. */
function metadata(found: Found): Record<string, string> {
  return Object.fromEntries(
    Object.entries(factsOf(found)).map(([name, value]) => [
      `x-service-${name.replaceAll("_", "-")}`,
      Buffer.from(String(value)).toString("latin1"),
    ]),
  );
}

function getFile(router: Router): void {
  const params = { file_path: required(string()), ref: required(string()) };
  router.on("GET /projects/:id/repository/files/:file_path", { ...readable, params }, async (call) => {
    const found = await find(call, call.params.ref);
    return ok({ ...factsOf(found), content: found.content.toString("base64") }, metadata(found));
  });
}

const range = { start: required(integer({ min: 1 })), end: required(integer({ min: 1 })) };

function getBlame(router: Router): void {
  const params = { file_path: required(string()), ref: required(string()), range: hash(range) };
  router.on("GET /projects/:id/repository/files/:file_path/blame", { ...readable, params }, async (call) => {
    const found = await find(call, call.params.ref);
    const lines = await blame(call.world, found.commit, found.path);
    const { start, end } = withinLines(call.params.range, lines.length);
    const ranges: { commit: Commit; lines: string[] }[] = [];
    for (const { commit, text } of lines.slice(start - 1, end)) {
      const current = ranges.at(-1);
      if (current?.commit === commit) current.lines.push(text);
      else ranges.push({ commit, lines: [text] });
    }
    return ok(
      ranges.map((each) => ({ commit: viewCommit(each.commit), lines: each.lines })),
      metadata(found),
    );
  });
}

function withinLines(asked: Values<typeof range> | undefined, count: number): Values<typeof range> {
  if (asked === undefined) return { start: 1, end: count };
  if (asked.start > asked.end) throw badRequest("range[start] must not be after range[end]");
  if (asked.start > count) throw badRequest(`range[start] is beyond the last line, ${count}`);
  return asked;
}

function viewCommit(commit: Commit) {
  const { id: _id, project_id: _project, sha, parent, changes: _changes, message, ...dates } = commit;
  return { id: sha, message, parent_ids: parent === null ? [] : [parent], ...dates };
}

function getRaw(router: Router): void {
  const params = { file_path: required(string()), ref: string(), lfs: boolean() };
  router.on("GET /projects/:id/repository/files/:file_path/raw", { ...readable, params }, async (call) => {
    const { world, params } = call;
    const found = await find(call, params.ref);
    const stored = params.lfs ? await storedContent(world, found) : undefined;
    const blob = world.store.blobs.get(stored ?? found.entry.blob);
    if (blob === undefined) throw notFound("File");
    const text = stored === undefined && !(await world.store.blobs.read(blob.id)).includes(0);
    return download(call.header, {
      size: blob.size,
      open: (part) => world.store.blobs.open(blob.id, part),
      contentType: text ? "text/plain; charset=utf-8" : "application/octet-stream",
      etag: blob.sha256,
      lastModified: new Date(found.last.committed_date),
      headers: metadata(found),
    });
  });
}

/** The content behind a pointer to large file storage; undefined for any other file. */
async function storedContent(world: World, { commit, entry }: Found): Promise<string | undefined> {
  if (entry.size > 1024) return undefined;
  const text = (await world.store.blobs.read(entry.blob)).toString("utf8");
  const oid = /^version \S+\noid sha256:([0-9a-f]{64})\nsize \d+\n$/.exec(text)?.[1];
  return world.store.table(largeFiles).find((one) => one.project_id === commit.project_id && one.oid === oid)?.blob;
}
