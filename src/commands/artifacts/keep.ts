import { entityOf } from "../../api/endpoint.ts";
import { jobId, keepArtifacts } from "../../api/endpoints/artifacts.ts";
import { project } from "../../api/endpoints/scope.ts";
import { required } from "../../api/field.ts";
import { Failure } from "../../base/errors.ts";
import { uncapitalize } from "../../base/wording.ts";
import { command } from "../../declare/command.ts";

export const keep = command({
  name: "keep",
  summary: keepArtifacts.summary,
  details: "The artifacts no longer expire; artifacts purge deletes them nevertheless. Prints the job.",
  args: { job_id: required(jobId) },
  params: { project: required(project) },
  requests: [keepArtifacts],
  returns: entityOf(keepArtifacts),
  prints: "record",
  examples: [{ line: "artifacts keep 992 -p acme/storefront" }],
  related: ["artifacts delete"],
  inspectWith: "api projects/{project}/jobs/{job_id}",
  async run(context, input) {
    const record = await context.api.call(keepArtifacts, input);
    refuseOther(record, input.job_id);
    refuseExpiring(record);
    return { record };
  },
});

/** Nothing else in the answer shows that it is that of this request. */
function refuseOther({ id }: { readonly id?: number | null | undefined }, wanted: number): void {
  if (Number(id) === wanted) return;
  throw new Failure("refused", `could not ${uncapitalize(keepArtifacts.summary)}`, {
    code: "unexpected_answer",
    reason: `the answer is of another job: ${id}`,
    outcome: "unknown",
    retryable: false,
  });
}

/** The request has no value to compare, but instances show an undocumented time until which artifacts are kept. */
function refuseExpiring(job: object): void {
  const { artifacts_expire_at: expires } = job as { artifacts_expire_at?: unknown };
  if (typeof expires !== "string") return;
  throw new Failure("partial", "the instance accepted the request, but the artifacts still expire", {
    code: "not_taken",
    reason: `artifacts_expire_at is ${expires}`,
    outcome: "not_taken",
    retryable: false,
    stored: job,
  });
}
