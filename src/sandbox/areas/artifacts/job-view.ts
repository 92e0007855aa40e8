import { projects, users } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { resolve } from "../files/history.ts";
import { briefUser } from "../users/view.ts";
import { archiveOf, presentArtifacts } from "./artifacts.ts";
import { type Job, jobs, type Pipeline, pipelines } from "./model.ts";

/** A job as the API shows it (1-project-api: Job). */
export async function viewJob(world: World, origin: string, id: number): Promise<Record<string, unknown>> {
  const job = world.store.table(jobs).get(id);
  const pipeline = job && world.store.table(pipelines).get(job.pipeline_id);
  const project = job && world.store.table(projects).get(job.project_id);
  if (job === undefined || pipeline === undefined || project === undefined)
    throw new RangeError(`job ${id} is incomplete`);
  const artifacts = presentArtifacts(world, job);
  const archive = artifacts && (await archiveOf(world, job, artifacts));
  const commit = resolve(world, project, pipeline.sha);
  const user = world.store.table(users).get(job.user_id);
  const web_url = `${origin}/${project.path_with_namespace}/-/jobs/${id}`;
  return {
    commit: commit && {
      author_email: commit.author_email,
      author_name: commit.author_name,
      created_at: commit.committed_date,
      id: commit.sha,
      message: commit.message,
      short_id: commit.sha.slice(0, 8),
      title: commit.message.split("\n", 1)[0],
    },
    coverage: job.coverage,
    allow_failure: job.allow_failure,
    ...(world.asDeployed
      ? deployedFields(job, pipeline, `${origin}/${project.path_with_namespace}`)
      : { download_url: null }),
    id,
    name: job.name,
    ref: pipeline.ref,
    artifacts:
      archive === undefined
        ? []
        : [{ file_type: "archive", size: archive.size, filename: "artifacts.zip", file_format: "zip" }],
    runner: null,
    stage: job.stage,
    created_at: job.created_at,
    started_at: job.started_at,
    finished_at: job.finished_at,
    duration: job.duration,
    status: job.status,
    failure_reason: job.failure_reason,
    tag: pipeline.tag,
    web_url,
    user: user === undefined ? null : briefUser(user, origin),
  };
}

/** What real instances show of a job besides. */
function deployedFields(job: Job, pipeline: Pipeline, home: string): Record<string, unknown> {
  const { id, project_id, sha, ref, status, created_at } = pipeline;
  const queued = job.started_at === null ? null : (Date.parse(job.started_at) - Date.parse(job.created_at)) / 1000;
  return {
    pipeline: {
      ...{ id, iid: id, project_id, sha, ref, status, source: "push", created_at },
      updated_at: job.finished_at ?? created_at,
      web_url: `${home}/-/pipelines/${id}`,
    },
    queued_duration: queued,
    erased_at: null,
    artifacts_expire_at: job.artifacts?.expire_at ?? null,
    tag_list: [],
    project: { ci_job_token_scope_enabled: false },
    archived: false,
  };
}
