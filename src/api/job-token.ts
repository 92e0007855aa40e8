import { Failure } from "../base/errors.ts";
import { uncapitalize } from "../base/wording.ts";
import { type AnyEndpoint, changes } from "./endpoint.ts";

// `1-project-api: Authentication`: few routes take a job token. On the others an instance answers as without a token:
// with a 404, or with what is public.

const another = "set an access token in FORGECTL_TOKEN or FORGECTL_TOKEN_FILE, or name a profile with --profile";

/** What is accepted where a job token is not. */
export const acceptedInstead = `job tokens are not accepted here; ${another}`;

/** The same for a path that was typed, of which it is not known whether it takes a job token. */
export const perhapsInstead = `most requests take no job token: ${another}`;

/** Whether a route takes no job token. Registries and sign-in pages get another credential. */
export function takesNoJobToken({ access, base }: Pick<AnyEndpoint, "access" | "base">): boolean {
  return base === "api" && access.jobToken !== true;
}

/** Whether none of the changes of a command can be made with a job token. */
export function changesNeedAccessToken(requests: readonly AnyEndpoint[]): boolean {
  const made = requests.filter(changes);
  return made.length > 0 && made.every(takesNoJobToken);
}

/** The error for a change that a job token cannot make. */
export function jobTokenRefused(summary: string, source: string | undefined): Failure {
  return new Failure("unauthenticated", `could not ${uncapitalize(summary)}`, {
    code: "job_token_refused",
    reason: `this takes no job token, and the current token is one (${source ?? "CI_JOB_TOKEN"})`,
    nothing: "sent",
    hint: acceptedInstead,
  });
}

/** The mark of an answer that a job token got from a route that does not take one. */
export function publicOnly(summary: string): string {
  return `job tokens are not accepted here: "${summary}" was answered as without one, with what is public only`;
}
