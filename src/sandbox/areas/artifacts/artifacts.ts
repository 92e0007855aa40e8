import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";
import type { Blob } from "../../store/blobs.ts";
import type { World } from "../../store/world.ts";
import { type Artifacts, type Job, jobs, type Pipeline, pipelines } from "./model.ts";

/** A job's artifacts, unless they expired or were removed. */
export function presentArtifacts(world: World, job: Job): Artifacts | undefined {
  const { artifacts } = job;
  if (artifacts === null) return undefined;
  const now = world.timestamp();
  const expired = !artifacts.kept && artifacts.gone_at === null && (artifacts.expire_at ?? now) < now;
  const gone = artifacts.gone_at !== null && artifacts.gone_at <= now;
  return expired || gone ? undefined : artifacts;
}

/** The zip archive of a job's artifacts, packed on the first request. */
export async function archiveOf(world: World, job: Job, artifacts: Artifacts): Promise<Blob> {
  const known = artifacts.archive === null ? undefined : world.store.blobs.get(artifacts.archive);
  if (known !== undefined) return known;
  const zip = new ZipFile();
  for (const { path, blob, executable } of artifacts.files) {
    const content = await world.store.blobs.read(blob);
    const mtime = new Date(job.finished_at ?? job.created_at);
    zip.addBuffer(content, path, { mtime, mode: executable ? 0o100755 : 0o100644 });
  }
  zip.end();
  const archive = world.store.blobs.put(await buffer(zip.outputStream));
  world.store.table(jobs).update(job.id, { artifacts: { ...artifacts, archive: archive.id } });
  return archive;
}

/** The most recently created successful pipeline of a branch or tag; child pipelines do not count. */
function latestSuccess(world: World, projectId: number, ref: string): Pipeline | undefined {
  return successes(world, projectId, ref)[0];
}

/** All of them, newest first. */
export function successes(world: World, projectId: number, ref: string): Pipeline[] {
  return world.store
    .table(pipelines)
    .where(
      (one) => one.project_id === projectId && one.ref === ref && one.parent_id === null && one.status === "success",
    )
    .sort((a, b) => b.created_at.localeCompare(a.created_at) || b.id - a.id);
}

/** The job of that name with artifacts, in a pipeline or else in its child pipelines. */
export function findJob(world: World, pipeline: Pipeline, name: string): Job | undefined {
  const own = world.store
    .table(jobs)
    .where((job) => job.pipeline_id === pipeline.id && job.name === name)
    .filter((job) => presentArtifacts(world, job) !== undefined)
    .sort((a, b) => b.id - a.id)[0];
  if (own !== undefined) return own;
  for (const child of world.store.table(pipelines).where((one) => one.parent_id === pipeline.id)) {
    const found = findJob(world, child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Removes a job's artifacts now. */
export function dropArtifacts(world: World, job: Job): void {
  if (job.artifacts?.archive != null) world.store.blobs.delete(job.artifacts.archive);
  for (const { blob } of job.artifacts?.files ?? []) world.store.blobs.delete(blob);
  world.store.table(jobs).update(job.id, { artifacts: null });
}

/** Delay of the scheduled cleanup, in milliseconds. */
const CLEANUP_MS = 1500;

/**
 * Expires all artifacts of a project except those of each ref's latest successful pipeline, and by the documents those
 * kept (purge-takes-kept).
 */
export function purgeArtifacts(world: World, projectId: number): void {
  const now = world.timestamp();
  const gone_at = new Date(world.now().getTime() + CLEANUP_MS).toISOString();
  for (const job of world.store.table(jobs).where((one) => one.project_id === projectId)) {
    const artifacts = presentArtifacts(world, job);
    if (artifacts === undefined || isLocked(world, job)) continue;
    if (artifacts.kept && !world.asDeployed) continue;
    world.store.table(jobs).update(job.id, {
      artifacts: { ...artifacts, kept: false, expire_at: now, updated_at: now, gone_at },
    });
  }
}

function isLocked(world: World, job: Job): boolean {
  let pipeline = world.store.table(pipelines).get(job.pipeline_id);
  while (pipeline?.parent_id != null) pipeline = world.store.table(pipelines).get(pipeline.parent_id);
  return pipeline !== undefined && latestSuccess(world, job.project_id, pipeline.ref)?.id === pipeline.id;
}
