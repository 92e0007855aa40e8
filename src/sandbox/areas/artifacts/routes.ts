import type { Access } from "../../server/access.ts";
import { type Call, checkUnmodifiedSince } from "../../server/call.ts";
import { download } from "../../server/download.ts";
import { page, pageParams } from "../../server/pagination.ts";
import { boolean, fallback, integer, type Params, required, string } from "../../server/params.ts";
import { badRequest, forbidden, notFound, Problem, unauthorized } from "../../server/problem.ts";
import { accepted, noContent, ok, type Reply } from "../../server/reply.ts";
import type { Area, Router } from "../../server/router.ts";
import { roles } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { archiveOf, dropArtifacts, findJob, presentArtifacts, purgeArtifacts, successes } from "./artifacts.ts";
import { cdnRoute, throughCdn } from "./cdn.ts";
import { viewJob } from "./job-view.ts";
import { atLastRaw } from "./last-raw.ts";
import { type Artifacts, type Job, jobs, pipelines } from "./model.ts";
import { seedPipelines } from "./seed.ts";

/** Job artifacts: 1-project-api: Job artifacts. */
export const artifactsArea: Area = {
  name: "artifacts",
  seed: seedPipelines,
  routes(router) {
    archives(router);
    singleFiles(router);
    changes(router);
    lookups(router);
    cdnRoute(router);
  },
};

/** Not in the documents: whether pipelines before the latest successful one are searched. */
const search = { search_recent_successful_pipelines: fallback(boolean(), false) };
/** How many pipelines are searched. */
const MAX_PIPELINES = 100;

const readable = {
  access: { project: "reporter", public: true },
  jobToken: true,
  deployed: { jobPermission: "read_jobs" },
} as const;
type Reading = Call<Params, (typeof readable)["access"] & Access>;

function archives(router: Router): void {
  const byId = { job_id: required(integer()) };
  router.on("GET /projects/:id/jobs/:job_id/artifacts", { ...readable, params: byId }, (call) =>
    sendArchive(call, jobById(call, call.params.job_id)),
  );
  const byRef = { ref_name: required(string()), job: required(string()), ...search };
  router.on("GET /projects/:id/jobs/artifacts/:ref_name/download", { ...readable, params: byRef }, (call) =>
    sendArchive(call, jobByRef(call, call.params)),
  );
}

function singleFiles(router: Router): void {
  const byId = { job_id: required(integer()), artifact_path: required(string()) };
  router.on("GET /projects/:id/jobs/:job_id/artifacts/*artifact_path", { ...readable, params: byId }, (call) => {
    const { job_id, artifact_path: path } = call.params;
    const present = jobById(call, job_id);
    return call.world.asDeployed && path === "tree" ? rootOf(present) : sendFile(call, present, { path, plain: false });
  });
  const byRef = { ref_name: required(string()), job: required(string()), artifact_path: required(string()), ...search };
  router.on("GET /projects/:id/jobs/artifacts/:ref_name/raw/*artifact_path", { ...readable, params: byRef }, (call) => {
    const { ref_name, artifact_path: path } = call.world.asDeployed ? atLastRaw(call.path, call.params) : call.params;
    const present = jobByRef(call, { ...call.params, ref_name });
    return path === undefined ? sendArchive(call, present) : sendFile(call, present, { path, plain: true });
  });
}

interface Present {
  readonly job: Job;
  readonly artifacts: Artifacts;
}

function jobById(call: Reading, id: number): Present {
  checkReader(call);
  return withArtifacts(call, findOwnJob(call, id));
}

interface ByRef {
  readonly ref_name: string;
  readonly job: string;
  readonly search_recent_successful_pipelines: boolean;
}

/** `HEAD` and SHAs are not branches or tags, so they find no pipeline. */
function jobByRef(call: Reading, { ref_name, job: name, search_recent_successful_pipelines: all }: ByRef): Present {
  checkReader(call);
  const recent = successes(call.world, call.project.id, ref_name).slice(0, all ? MAX_PIPELINES : 1);
  for (const pipeline of recent) {
    const job = findJob(call.world, pipeline, name);
    if (job !== undefined) return withArtifacts(call, job);
  }
  throw notFound();
}

function findOwnJob({ world, project }: Pick<Reading, "world" | "project">, id: number): Job {
  const job = world.store.table(jobs).get(id);
  if (job === undefined || job.project_id !== project.id) throw notFound();
  return job;
}

function withArtifacts({ world }: Pick<Reading, "world">, job: Job): Present {
  const artifacts = presentArtifacts(world, job);
  if (artifacts === undefined) throw notFound();
  return { job, artifacts };
}

/** A private project requires the Reporter role; job tokens work from Premium on, while their job runs. */
function checkReader({ world, project, level, token }: Reading): void {
  if (token?.kind === "job") {
    if (!world.has("premium")) throw forbidden("Job tokens download artifacts in the Premium and Ultimate tiers only.");
    if (world.store.table(jobs).get(token.job_id ?? 0)?.status !== "running") throw unauthorized();
  }
  if (project.visibility === "private" && level < roles.reporter) throw forbidden();
}

async function sendArchive(call: Reading, { job, artifacts }: Present): Promise<Reply> {
  const archive = await archiveOf(call.world, job, artifacts);
  return throughCdn(call, { blob: archive.id, contentType: "application/zip", filename: "artifacts.zip" });
}

/** The files and folders in the archive's root: on real instances this route hides a file named `tree`. */
function rootOf({ artifacts }: Present): Reply {
  const names = new Set(artifacts.files.map(({ path }) => path.split("/")[0] ?? ""));
  const entryOf = (name: string) => {
    const isFile = artifacts.files.some(({ path }) => path === name);
    return { name, path: isFile ? name : `${name}/`, type: isFile ? "file" : "directory" };
  };
  return ok([...names].map(entryOf));
}

function sendFile(call: Reading, { artifacts }: Present, asked: { path: string; plain: boolean }): Reply {
  const { path } = asked;
  if (path.split("/").some((segment) => segment === "" || segment === "." || segment === "..")) {
    throw badRequest("Invalid path");
  }
  const file = artifacts.files.find((one) => one.path === path);
  const blob = file && call.world.store.blobs.get(file.blob);
  if (blob === undefined) throw notFound();
  return download(call.header, {
    size: blob.size,
    open: (range) => call.world.store.blobs.open(blob.id, range),
    contentType: asked.plain ? "text/plain; charset=utf-8" : "application/octet-stream",
    etag: blob.sha256,
  });
}

/** Real instances name a job without artifacts as their programming language prints an object. */
function inspected({ id }: Job): string {
  return `#<Ci::Build:0x00007f5e2c${id.toString(16).padStart(6, "0")}>`;
}

/** When the recount of a project's statistics ends, in milliseconds: one second after a purge. */
const countedUntil = new WeakMap<World, Map<number, number>>();

function counts(world: World): Map<number, number> {
  const known = countedUntil.get(world) ?? new Map<number, number>();
  countedUntil.set(world, known);
  return known;
}

/** Real instances refuse to delete artifacts during a recount. */
function checkNotCounted(world: World, projectId: number): void {
  if (!world.asDeployed || world.now().getTime() >= (counts(world).get(projectId) ?? 0)) return;
  throw new Problem(409, {
    message: "409 Conflict: Action temporarily disabled. The project this job belongs to is undergoing stats refresh.",
  });
}

function changes(router: Router): void {
  const byId = { job_id: required(integer()) };
  router.on(
    "POST /projects/:id/jobs/:job_id/artifacts/keep",
    { access: { project: "developer" }, params: byId },
    async (call) => {
      const { world, origin } = call;
      const own = findOwnJob(call, call.params.job_id);
      if (world.asDeployed && presentArtifacts(world, own) === undefined) throw notFound(inspected(own));
      const { job, artifacts } = withArtifacts(call, own);
      const kept = { ...artifacts, kept: true, expire_at: null, gone_at: null, updated_at: world.timestamp() };
      world.store.table(jobs).update(job.id, { artifacts: kept });
      return ok(await viewJob(world, origin, job.id));
    },
  );
  router.on(
    "DELETE /projects/:id/jobs/:job_id/artifacts",
    { access: { project: "maintainer" }, params: byId },
    (call) => {
      checkNotCounted(call.world, call.project.id);
      const { job, artifacts } = withArtifacts(call, findOwnJob(call, call.params.job_id));
      checkUnmodifiedSince(call, artifacts.updated_at);
      dropArtifacts(call.world, job);
      return noContent();
    },
  );
  router.on("DELETE /projects/:id/artifacts", { access: { project: "maintainer" } }, ({ world, project }) => {
    checkNotCounted(world, project.id);
    purgeArtifacts(world, project.id);
    counts(world).set(project.id, world.now().getTime() + world.minuteMs / 60);
    return accepted();
  });
}

/** Not in the documents: the pipelines and jobs of artifacts. */
function lookups(router: Router): void {
  const seen = { access: { project: "reporter", public: true } } as const;
  const which = { ...pageParams, ref: string(), status: string() };
  router.on("GET /projects/:id/pipelines", { ...seen, params: which }, (call) => {
    const { world, project, params } = call;
    const found = world.store
      .table(pipelines)
      .where((one) => one.project_id === project.id && one.parent_id === null)
      .filter((one) => params.ref === undefined || one.ref === params.ref)
      .filter((one) => params.status === undefined || one.status === params.status)
      .sort((a, b) => b.id - a.id);
    return page(call, found, ({ id, ref, sha, status, created_at }) => ({ id, ref, sha, status, created_at }));
  });
  const ofPipeline = { ...pageParams, pipeline_id: required(integer()) };
  router.on("GET /projects/:id/pipelines/:pipeline_id/jobs", { ...seen, params: ofPipeline }, (call) =>
    listed(call, ({ pipeline_id }) => pipeline_id === call.params.pipeline_id),
  );
  router.on("GET /projects/:id/jobs", { ...seen, params: pageParams }, (call) => listed(call, () => true));
  router.on("GET /projects/:id/jobs/:job_id", { ...seen, params: { job_id: required(integer()) } }, async (call) =>
    ok(await viewJob(call.world, call.origin, findOwnJob(call, call.params.job_id).id)),
  );
  // Not in the documents: the job of the caller's job token.
  router.on("GET /job", { jobToken: true }, async ({ world, origin, token }) => {
    const job = token?.kind === "job" ? world.store.table(jobs).get(token.job_id ?? 0) : undefined;
    if (job === undefined) throw notFound("Job");
    if (job.status !== "running") throw unauthorized();
    const { id, project_id, ref, sha, status } = world.store.table(pipelines).get(job.pipeline_id) ?? {};
    return ok({ pipeline: { id, project_id, ref, sha, status }, ...(await viewJob(world, origin, job.id)) });
  });
}

type Listing = Call<Params & typeof pageParams, { readonly project: "reporter" } & Access>;

/** Jobs of the project, newest first. */
async function listed(call: Listing, isWanted: (job: Job) => boolean): Promise<Reply> {
  const { world, project, origin } = call;
  const found = world.store.table(jobs).where((job) => job.project_id === project.id && isWanted(job));
  const views = await Promise.all(found.sort((a, b) => b.id - a.id).map(({ id }) => viewJob(world, origin, id)));
  return page(call, views, (view) => view);
}
