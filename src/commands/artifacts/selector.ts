import { getJobArchive, getRefArchive } from "../../api/endpoints/artifacts.ts";
import { project } from "../../api/endpoints/scope.ts";
import { boolean, id, required, string } from "../../api/field.ts";
import { missing, UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { type Source, sourceOf } from "../../transfer/body.ts";
import { choose } from "../../verbs/choose.ts";

/** How a job's artifacts are found: by its ID, or by name in a ref's latest successful pipeline. */
export const selectorFlags = {
  project: required(project),
  job_id: id("Artifacts of this job"),
  ref: string("Branch or tag whose latest successful pipeline to use; with --job", { placeholder: "branch|tag" }),
  job: string("Name of the job in that pipeline", { placeholder: "name", min: 1 }),
  search_recent: boolean(
    "With --ref: search several of the latest successful pipelines, not only the latest (not in the API " +
      "documents: an instance may search only the latest)",
  ),
  job_token_query: boolean("Send the job token in the query instead of a header (pipelines of several projects)"),
};

interface SelectorInput {
  project: string;
  job_id?: number | undefined;
  ref?: string | undefined;
  job?: string | undefined;
  search_recent?: boolean | undefined;
  job_token_query?: boolean | undefined;
}

export type Selector =
  | { kind: "job"; input: { project: string; job_id: number; job_token?: string } }
  | { kind: "ref"; input: RefInput };

type Selected = Selector & { options: { signedIn?: "job" } };

/** The requests for all of a job's artifacts. */
export const archives = [getJobArchive, getRefArchive] as const;

interface RefInput {
  project: string;
  ref_name: string;
  job: string;
  search_recent_successful_pipelines?: true;
  job_token?: string;
}

/** The one selector that was given, checked (`1-project-api: Job artifacts`). */
export function selectorOf(
  context: Context,
  { project: id, job_id, ref, job, search_recent, job_token_query }: SelectorInput,
) {
  const common = { project: id, ...(job_token_query && { job_token: jobToken(context) }) };
  const recent = search_recent ? ({ search_recent_successful_pipelines: true } as const) : {};
  const selector = (): Selector => {
    if (search_recent && ref === undefined) throw new UsageError("--search-recent needs --ref and --job");
    if (job_id !== undefined) {
      if ((ref ?? job) !== undefined) throw new UsageError("give only one of --job-id, and --ref with --job");
      return { kind: "job", input: { ...common, job_id } };
    }
    if (ref === undefined && job === undefined)
      throw missing("--job-id <job-id>, or --ref <branch|tag> with --job <name>");
    if (ref === undefined)
      throw missing("--ref <branch|tag>", { reason: "--job needs the branch or tag of its pipeline" });
    if (job === undefined) throw missing("--job <name>", { reason: "--ref needs the name of the job in its pipeline" });
    checkRef(ref);
    return { kind: "ref", input: { ...common, ref_name: ref, job, ...recent } };
  };
  return { ...selector(), options: job_token_query ? ({ signedIn: "job" } as const) : {} };
}

/** The archive of all of a job's artifacts. */
export function archiveSource(context: Context, { input, options }: Selected): Source {
  return sourceOf(context, choose(archives, input), input, options);
}

/** What is meant, for people: `job 12`, `job build of main`. */
export function nameOf(selector: Selector): string {
  return selector.kind === "job"
    ? `job ${selector.input.job_id}`
    : `job ${selector.input.job} of ${selector.input.ref_name}`;
}

function checkRef(ref: string): void {
  if (ref === "") throw new UsageError("--ref: is empty");
  const is = ref === "HEAD" ? "HEAD" : /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(ref) ? "a commit" : undefined;
  if (is === undefined) return;
  throw new UsageError(`--ref: must be a branch or a tag, not ${is}`, {
    reason: "the platform finds artifacts by the name of a branch or tag only",
    hint: "name the branch, or the job with --job-id",
  });
}

function jobToken(context: Context): string {
  const credential = context.config.jobCredential();
  if (credential !== undefined) return credential.token;
  throw new UsageError("--job-token-query: no job token was found", {
    hint: "it comes from CI_JOB_TOKEN in a running CI job, or from FORGECTL_JOB_TOKEN",
  });
}
