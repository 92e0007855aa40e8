import * as artifacts from "../../../src/api/endpoints/artifacts.ts";
import { call } from "../call.ts";

const project = "acme/storefront";
const job = { project, job_id: 1000 };
const ref = { project, ref_name: "feature/checkout", job: "build" };
const artifact_path = "dist/index.html";

export const calls = [
  call(artifacts.getJobArchive, job, { as: "jobToken" }),
  call(artifacts.getRefArchive, ref),
  call(artifacts.getJobArtifact, { ...job, artifact_path }),
  call(artifacts.getRefArtifact, { ...ref, artifact_path }),
  call(artifacts.keepArtifacts, { project, job_id: 992 }, { as: "developer" }),
  call(artifacts.deleteArtifacts, { project, job_id: 993 }, { as: "maintainer" }),
  call(artifacts.purgeArtifacts, { project }, { as: "maintainer" }),
  call(artifacts.listPipelines, { project, ref: "main", status: "success" }),
  call(artifacts.listPipelineJobs, { project, pipeline_id: 503 }),
  call(artifacts.getJob, job),
];
