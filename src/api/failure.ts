import { type ExitName, Failure, type FailureDetails } from "../base/errors.ts";
import { capitalize, uncapitalize } from "../base/wording.ts";
import { fieldsOf, type Json, messageOf, parseBody, plain } from "./error-body.ts";
import type { FailedAnswer, FailedCall } from "./failed-call.ts";
import { checkAddress, hintFor, isRefreshing, looksLikeHtml } from "./hints.ts";
import { wordsOf } from "./json.ts";
import { earlierLost, isChange, isGatewayError } from "./outcome.ts";
import { isOwn404, lacksRoute } from "./own-404.ts";
import { insufficientScope, lacksScope } from "./scopes.ts";

/** Statuses of `1-project-api: Errors` and what they mean to a script. */
export function exitOf(status: number): ExitName {
  if (status === 401) return "unauthenticated";
  if (status === 403) return "forbidden";
  if (status === 404) return "notFound";
  if (status === 409 || status === 412) return "conflict";
  if (status === 429) return "rateLimited";
  return "refused";
}

/** Turns an unsuccessful HTTP answer into an error that a user can act on. */
export function failureOf(call: FailedCall, answer: FailedAnswer): Failure {
  const body = parseBody(answer.text);
  const fields = fieldsOf(body);
  const outcome = outcomeOf(call, answer);
  // A change that an earlier attempt made is refused when repeated: not found, already exists, once an hour.
  const isDoubtful = outcome.outcome === "unknown" && isUndone(answer.status);
  const isForeign = answer.status === 404 && !isOwn404(call, answer);
  const reason = isForeign ? foreignReason(answer, body) : reasonOf(answer, body, call);
  const meant = call.access?.refusals?.find(({ says }) => says.test(reason))?.as ?? answer.status;
  const details: FailureDetails = {
    status: answer.status,
    method: call.method,
    path: call.path,
    reason,
    ...outcome,
    ...(isDoubtful && { outcomeText: earlierAttempt(call) }),
  };
  if (fields !== undefined) details.fields = fields;
  if (answer.status === 404 && lacksRoute(body)) details.lacksRoute = true;
  const challenge = challengeOf(body);
  if (challenge !== undefined) details.challenge = challenge;
  // If an earlier attempt may have caused the refusal, the hint is to check the outcome, not the input.
  const hint = isDoubtful ? undefined : isForeign ? checkAddress(call) : hintFor(answer, body, call);
  if (hint !== undefined) details.hint = hint;
  const code = isForeign ? "unexpected_answer" : codeOf(meant, body);
  if (code !== undefined) details.code = code;
  const requestId = answer.headers["x-request-id"];
  if (requestId !== undefined) details.requestId = requestId;
  const shown = withoutSecrets(details, call);
  if (isForeign) return new Failure("refused", describeCall(call), shown);
  // The instance did not check access: it handled the request as one without a token.
  const exit = answer.status === 404 && isStranger(call) ? "unauthenticated" : exitOf(meant);
  return new Failure(exit, describeCall(call), shown);
}

/** What was answered may become a row, a record, or a note: what it repeats of a request is hidden here. */
function withoutSecrets(details: FailureDetails, { redact }: FailedCall): FailureDetails {
  const { reason, hint, fields } = details;
  if (redact === undefined) return details;
  const named = Object.entries(fields ?? {}).map(([name, texts]) => [redact(name), texts.map(redact)] as const);
  return {
    ...details,
    ...(reason !== undefined && { reason: redact(reason) }),
    ...(hint !== undefined && { hint: redact(hint) }),
    ...(fields && { fields: Object.fromEntries(named) }),
  };
}

/** A job token was sent to a route that takes none. */
function isStranger({ credential, access }: FailedCall): boolean {
  return credential === "job" && access !== undefined && access.jobToken !== true;
}

/** The outcome of a change with this answer, and whether it is safe to retry. */
function outcomeOf(
  call: FailedCall,
  { status, headers, text }: FailedAnswer,
): Pick<FailureDetails, "retryable" | "outcome"> {
  const mayPass = status === 429 || status >= 500 || isRefreshing(status, text);
  const isOpen = isChange(call.method) && leavesOpen(call, { status, headers });
  return isOpen ? { retryable: false, outcome: "unknown" } : { retryable: mayPass };
}

/** Whether a change may have been made in spite of this answer. */
export function leavesOpen(call: FailedCall, { status, headers }: Omit<FailedAnswer, "text">): boolean {
  const isGateways = isGatewayError(status, headers);
  // The instance's own 503 means that nothing was done; for a POST, only with `Retry-After`.
  const untouched = status === 503 && !isGateways && (call.repeatable || headers["retry-after"] !== undefined);
  // What is gone is also answered with 403 (registry-missing-tag) or 400 (job-token-entry-refusals).
  const mayBeGone = call.refusedBefore === true && call.method === "DELETE" && [400, 403, 404].includes(status);
  return mayBeGone || (call.repeated ? status >= 400 : isGateways || (status >= 500 && !untouched));
}

/**
 * Refused because of the present state, which an earlier attempt may have caused: also the access that the caller has
 * lost by it.
 */
function isUndone(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429 && !isGatewayError(status, {});
}

/** An answer that is not one of the platform's API. */
export function unexpectedAnswer(call: FailedCall, answer: FailedAnswer, problem: string): Failure {
  const isPage = looksLikeHtml(answer);
  // A page of a proxy in front of the instance, which may not have received the request.
  const unknown = isPage && isChange(call.method);
  const details: FailureDetails = {
    code: "unexpected_answer",
    status: answer.status,
    method: call.method,
    path: call.path,
    reason: isPage ? `the server answered ${webPage}` : problem,
    ...(isPage && { hint: checkAddress(call) }),
    ...(unknown && { outcome: "unknown", retryable: false }),
  };
  return new Failure("refused", describeCall(call), withoutSecrets(details, call));
}

const webPage = "with a web page, not with the platform's API";

function describeCall(call: FailedCall): string {
  const { summary } = call;
  return summary === undefined ? "the request failed" : `could not ${uncapitalize(summary)}`;
}

function earlierAttempt({ repeated }: FailedCall): string {
  if (!repeated) return "an earlier attempt was answered with an error, and may have made the change";
  return earlierLost;
}

function codeOf(status: number, body: Json | undefined): string | undefined {
  if (body?.needs_captcha_response === true) return "captcha_needed";
  if (status === 403 && lacksScope(body)) return insufficientScope;
  if (status === 400 || status === 422) return "invalid";
  return status >= 500 ? "server_error" : undefined;
}

function reasonOf(answer: FailedAnswer, body: Json | undefined, call: FailedCall): string {
  const isPage = looksLikeHtml(answer);
  if (answer.status === 404) return notFoundReason(body, call);
  const said = messageOf(body);
  const used = tokenUsed(call, answer.status);
  const meant = call.access?.means?.[answer.status];
  if (meant !== undefined && !isPage && (said === undefined || bare.test(said))) return meant + used;
  if (answer.status === 403 && !isPage) return withoutStop(forbiddenReason(said, body, call), used) + used;
  if (said !== undefined) return used === "" ? said : withoutStop(said) + used;
  if (isPage) return `the server answered ${answer.status} with a web page${used}`;
  const text = beginning(plain(answer.text.trim()));
  const silent = text === "" || (body !== undefined && Object.keys(body).length === 0);
  return (silent ? `the instance answered ${answer.status}` : withoutStop(text)) + used;
}

const maxText = 300;

/** The beginning of a long text, without the word that is cut there: a part of a token is not recognized as secret. */
function beginning(text: string): string {
  if (text.length <= maxText) return text;
  const cut = text.slice(0, maxText);
  return cut.replace(/[^\s"'<>,;]+$/, "").trimEnd();
}

/** A text that only names the status. */
const bare = /^(?:\d{3}\s*)?\(?(?:bad request|unauthorized|forbidden)\)?$/i;

/**
 * The server's reason. If it gives none, the usual ones, since it is not known which applies. `scope`: RFC 6750, the
 * scope that the token lacks.
 */
function forbiddenReason(said: string | undefined, body: Json | undefined, { access, credential }: FailedCall): string {
  if (body?.error === "insufficient_scope") {
    const scopes = typeof body.scope === "string" ? body.scope.trim().split(/\s+/).join(" or ") : "";
    const need = scopes === "" ? "" : `; it needs the scope ${scopes}`;
    return `${withoutStop(said ?? "the token's scopes do not allow it")}${need}`;
  }
  const own = said?.replace(/^403(?: Forbidden)?(?:\s*[-:]\s*)?/i, "").trim();
  if (own !== undefined && !/^(?:forbidden)?$/i.test(own)) return own;
  if (credential === "job" && access?.jobToken !== true) return "the instance answered 403";
  const role = access?.role === undefined ? undefined : `usually this needs the ${capitalize(access.role)} role`;
  const causes = [role ?? "the instance answered 403", access?.forbidden].filter((cause) => cause !== undefined);
  return causes.join("; or ");
}

/** A sentence without its full stop, so that a clause can follow. */
function withoutStop(sentence: string, clause?: string): string {
  return clause === "" ? sentence : sentence.replace(/\.$/, "");
}

/** The source of the token that was refused; of a job token, also where access was. */
function tokenUsed({ tokenSource, credential }: FailedCall, status: number): string {
  if (tokenSource === undefined) return "";
  if (credential === "job")
    return [401, 403, 404].includes(status) ? `; the token is a job token (${tokenSource})` : "";
  return status === 401 ? `; the token is that of ${tokenSource}` : "";
}

/** A spam challenge, with the values that its answer must contain (`1-project-api: Errors`). */
function challengeOf(body: Json | undefined): FailureDetails["challenge"] {
  if (body?.needs_captcha_response !== true) return undefined;
  const { captcha_site_key: key, spam_log_id: log } = body;
  return {
    captcha_site_key: key === undefined ? null : wordsOf(key),
    spam_log_id: typeof log === "number" ? log : null,
  };
}

/** A 404 that is not the instance's does not say that anything is missing. */
function foreignReason(answer: FailedAnswer, body: Json | undefined): string {
  if (looksLikeHtml(answer)) return `the server answered ${webPage}`;
  const said = messageOf(body) ?? beginning(plain(answer.text.trim()));
  return `the server answered 404, but not as the platform's API does${said === "" ? "" : ` (${withoutStop(said)})`}`;
}

function notFoundReason(body: Json | undefined, call: FailedCall): string {
  const said = messageOf(body);
  const detail = said === undefined || /^(?:404 )?not found$/i.test(said) ? "" : ` (${said})`;
  if (isStranger(call)) {
    return `job tokens are not accepted here, and the instance answers as without one: not found, or not public${detail}`;
  }
  const visible = call.credential === "none" ? "without a token" : "to this token";
  return `not found, or not visible ${visible}${withoutStop(detail)}${tokenUsed(call, 404)}`;
}
