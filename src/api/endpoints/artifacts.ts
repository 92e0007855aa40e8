import { endpoint } from "../endpoint.ts";
import {
  array,
  boolean,
  entity,
  id,
  json,
  nullable,
  number,
  object,
  outcome,
  required,
  sometimes,
  string,
  timestamp,
  uncut,
} from "../field.ts";
import { project } from "./scope.ts";

/** The job whose artifacts no longer expire (`1-project-api: Job`). */
const Job = entity(
  "Job",
  {
    id: required(id("Job ID")),
    name: required(string()),
    stage: string(),
    status: outcome(),
    ref: string("Branch or tag that it ran for"),
    tag: boolean("Whether the ref is a tag"),
    coverage: nullable(number()),
    allow_failure: boolean(),
    failure_reason: sometimes(nullable(uncut("Only if it failed"))),
    created_at: timestamp(),
    started_at: nullable(timestamp()),
    finished_at: nullable(timestamp()),
    duration: nullable(number("In seconds")),
    download_url: nullable(uncut()),
    web_url: uncut(),
    commit: object({
      id: string(),
      short_id: string(),
      title: string(),
      message: string(),
      author_name: string(),
      author_email: string(),
      created_at: timestamp(),
    }),
    artifacts: array(json(), "Artifact files of the job"),
    runner: nullable(json()),
    user: nullable(json()),
  },
  {
    card: [
      "id",
      "name",
      "stage",
      "status",
      "failure_reason",
      "ref",
      "commit.short_id",
      "finished_at",
      "duration",
      "web_url",
    ],
  },
);

export const jobId = id("Job ID");
const ref_name = string("Branch or tag; uses its latest successful pipeline");
const job = string("Job name");
const artifact_path = string("Path inside the archive", { placeholder: "path" });
const search_recent_successful_pipelines = boolean("Search several of the latest successful pipelines");
const job_token = string("Token of the running job, for pipelines of several projects", { secret: true });
const notFound = "its artifacts may have expired or been deleted, or the job has none";
const forbidden = "the job limits its artifacts to developers or maintainers (artifacts:access)";
const ofProtected = "the job's branch or tag is protected";
const ofJob = { jobToken: true, notFound, forbidden } as const;
const ofRef = {
  jobToken: true,
  forbidden,
  notFound:
    "--ref takes the full name of a branch or tag (not a commit) whose pipeline succeeded; the " +
    "artifacts may also have expired or been deleted",
} as const;

export const getJobArchive = endpoint({
  route: "GET /projects/:project/jobs/:job_id/artifacts",
  summary: "Download the artifacts of a job",
  params: { project, job_id: jobId, job_token },
  returns: "bytes",
  access: ofJob,
});

export const getRefArchive = endpoint({
  route: "GET /projects/:project/jobs/artifacts/:ref_name/download",
  summary: "Download the artifacts of a ref's latest successful pipeline",
  params: { project, ref_name, job, search_recent_successful_pipelines, job_token },
  returns: "bytes",
  access: ofRef,
});

/** What sends a file out of an archive on instances says this, as text, if the archive does not have it. */
const refusals = [{ says: /^404 page not found\s*$/, as: 404 }] as const;

export const getJobArtifact = endpoint({
  route: "GET /projects/:project/jobs/:job_id/artifacts/*artifact_path",
  summary: "Download a file from the artifacts of a job",
  params: { project, job_id: jobId, artifact_path, job_token },
  returns: "bytes",
  access: { ...ofJob, refusals },
});

/** Instances end the ref's name at the last `/raw/`, and take a name `download` for the archive (raw-in-artifacts). */
const pathInRef: typeof artifact_path = {
  ...artifact_path,
  asSegment: /(?:^|\/)raw\/|\/download(?:\.[^/]*)?$/,
};

export const getRefArtifact = endpoint({
  route: "GET /projects/:project/jobs/artifacts/:ref_name/raw/*artifact_path",
  summary: "Download a file from the artifacts of a ref's latest successful pipeline",
  params: { project, ref_name, artifact_path: pathInRef, job, search_recent_successful_pipelines, job_token },
  returns: "bytes",
  access: { ...ofRef, refusals },
});

export const keepArtifacts = endpoint({
  route: "POST /projects/:project/jobs/:job_id/artifacts/keep",
  summary: "Keep the artifacts of a job from expiring",
  params: { project, job_id: jobId },
  returns: Job,
  access: { role: "developer", notFound, forbidden: ofProtected },
});

export const deleteArtifacts = endpoint({
  route: "DELETE /projects/:project/jobs/:job_id/artifacts",
  summary: "Delete the artifacts of a job",
  params: { project, job_id: jobId },
  returns: "nothing",
  access: { role: "maintainer", notFound, forbidden: ofProtected },
});

export const purgeArtifacts = endpoint({
  route: "DELETE /projects/:project/artifacts",
  summary: "Delete all deletable artifacts of a project",
  params: { project },
  returns: "nothing",
  access: { role: "maintainer" },
});

// Undocumented: used to find out why an artifact was not found.

const Pipeline = entity("Pipeline", { id: required(id("Pipeline ID")), ref: string(), status: outcome() });

export const listPipelines = endpoint({
  route: "GET /projects/:project/pipelines",
  summary: "List a project's pipelines",
  params: { project, ref: string("Branch or tag"), status: string("success") },
  returns: Pipeline,
  page: "offset",
  access: {},
  beyond: true,
});

export const listPipelineJobs = endpoint({
  route: "GET /projects/:project/pipelines/:pipeline_id/jobs",
  summary: "List a pipeline's jobs",
  params: { project, pipeline_id: id("Pipeline ID") },
  returns: Job,
  page: "offset",
  access: {},
  beyond: true,
});

export const getJob = endpoint({
  route: "GET /projects/:project/jobs/:job_id",
  summary: "Get a job",
  params: { project, job_id: jobId },
  returns: Job,
  access: {},
  beyond: true,
});
