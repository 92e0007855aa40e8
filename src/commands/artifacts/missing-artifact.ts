import { getJob, listPipelineJobs, listPipelines } from "../../api/endpoints/artifacts.ts";
import { Failure, isNotFound } from "../../base/errors.ts";
import { nearest } from "../../base/nearest.ts";
import { commandLine } from "../../base/shell-words.ts";
import { someOf } from "../../base/wording.ts";
import type { Context } from "../../context.ts";
import { collected } from "../../verbs/row-collection.ts";
import { nameOf, type Selector } from "./selector.ts";

/** A 404 of a job's artifacts, with what is missing if the instance shows it: pipeline, job, or artifacts. */
export async function withMissing(context: Context, error: unknown, selector: Selector): Promise<unknown> {
  if (!isNotFound(error)) return error;
  const missing = await (selector.kind === "job" ? ofJob(context, selector) : ofRef(context, selector)).catch(
    (failure: unknown) => {
      if (failure instanceof Failure && failure.exit !== "interrupted") return undefined;
      throw failure;
    },
  );
  if (missing === undefined) return error;
  const { hint: _, ...details } = error.details;
  return new Failure("notFound", missing.message, {
    ...details,
    ...("reason" in missing && { reason: missing.reason }),
    hint: missing.hint,
  });
}

interface Missing {
  message: string;
  reason?: string;
  hint: string;
}

function nameHint(job: string, names: readonly string[]): string {
  const meant = nearest(job, names);
  return meant === undefined ? "give the exact name with --job" : `did you mean ${commandLine(["--job", meant])}?`;
}

const goneHint = "they may have expired or been deleted, or the job has none";

async function ofJob(context: Context, { input }: Extract<Selector, { kind: "job" }>): Promise<Missing> {
  const { project, job_id } = input;
  const { name, ref, status } = await context.api.call(getJob, { project, job_id });
  return { message: `job ${job_id} (${name} of ${ref}, ${status}) has no artifacts`, hint: goneHint };
}

/** `search_recent` may find the job in an older pipeline than the one checked here, so nothing is added then. */
async function ofRef(context: Context, selector: Extract<Selector, { kind: "ref" }>): Promise<Missing | undefined> {
  const { project, ref_name: ref, job, search_recent_successful_pipelines: recent } = selector.input;
  if (recent) return undefined;
  const window = { limit: 1, perPage: 1 };
  const [pipeline] = await collected(context.api.list(listPipelines, { project, ref, status: "success" }, window));
  if (pipeline === undefined) {
    return {
      message: `${ref} has no successful pipeline`,
      reason: `no branch or tag ${ref} with a pipeline that succeeded was found`,
      hint: "--ref takes the full name of a branch or tag, not a commit; --job-id takes any job",
    };
  }
  const jobs = await collected(
    context.api.list(listPipelineJobs, { project, pipeline_id: pipeline.id }, { limit: undefined }),
  );
  const names = [...new Set(jobs.map(({ name }) => name))];
  const which = `the latest successful pipeline of ${ref} (${pipeline.id})`;
  if (names.includes(job)) return { message: `${nameOf(selector)} has no artifacts in ${which}`, hint: goneHint };
  return {
    message: `${which} has no job ${job}`,
    reason: names.length === 0 ? "it has no jobs of its own" : `its own jobs: ${someOf(names)}`,
    hint: nameHint(job, names),
  };
}
