import { type ExitName, Failure, type FailureDetails } from "../errors.ts";
import { isObject } from "../is-object.ts";
import { capitalize } from "../wording.ts";
import type { Access } from "./endpoint.ts";
import { isChange, mayBeMade } from "./fate.ts";
import { parseAnswer, wordsOf } from "./json.ts";

/** What is known of the call that failed. */
export interface FailedCall {
  method: string;
  /** Path and query, secrets redacted. */
  path: string;
  /** The endpoint's summary: "Delete a registry tag". */
  summary: string | undefined;
  access: Access | undefined;
  /** The API documents do not have the request. */
  beyond?: boolean;
  /** What the request was signed in with; `given`: by its caller, who alone can say what to do when it is refused. */
  credential: "access" | "job" | "none" | "given";
  /** Sending it twice does what sending it once does. */
  repeatable: boolean;
  /** It was sent before, and that answer got lost. */
  repeated?: boolean;
}

interface FailedAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The body's beginning, decoded. */
  text: string;
}

/** Statuses of `1-project-api: Errors` and what they mean to a script. */
export function exitOf(status: number): ExitName {
  if (status === 401) return "unauthenticated";
  if (status === 403) return "forbidden";
  if (status === 404) return "notFound";
  if (status === 409 || status === 412) return "conflict";
  if (status === 429) return "rateLimited";
  return "refused";
}

/** An HTTP answer that is no success, as an error that a person can act on. */
export function failureOf(call: FailedCall, answer: FailedAnswer): Failure {
  const body = parseBody(answer);
  const fields = fieldsOf(body);
  const fate = fateOf(call, answer);
  const doubt = fate.outcome === "unknown" ? doubtOf(answer) : "";
  const details: FailureDetails = {
    status: answer.status,
    method: call.method,
    path: call.path,
    reason: reasonOf(answer, body, call) + doubt,
    doubt,
    ...fate,
  };
  if (fields !== undefined) details.fields = fields;
  const hint = spamHint(body) ?? hintOf(answer, call);
  if (hint !== undefined) details.hint = hint;
  const code = codeOf(answer.status, body);
  if (code !== undefined) details.code = code;
  const requestId = answer.headers["x-request-id"];
  if (requestId !== undefined) details.requestId = requestId;
  return new Failure(exitOf(answer.status), describeCall(call), details);
}

/** What is known of a change that was answered so, and whether sending it again can do no harm. */
function fateOf(call: FailedCall, { status, headers }: FailedAnswer): Pick<FailureDetails, "retryable" | "outcome"> {
  const mayPass = status === 429 || status >= 500;
  if (!isChange(call.method)) return { retryable: mayPass };
  // 429 and 503 are said before anything is done; a POST's 503 only where the server says when to come back.
  const untouched = status === 429 || (status === 503 && (call.repeatable || headers["retry-after"] !== undefined));
  const unknown = call.repeated ? isUndone(status) || mayPass : status >= 500 && !untouched;
  return unknown ? { retryable: false, outcome: "unknown" } : { retryable: mayPass };
}

/** Refused for the state that things are in, which an attempt before may have brought about. */
function isUndone(status: number): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 403 && status !== 429;
}

/** The answer came, but it is not what the platform's API answers. */
export function strangeAnswer(call: FailedCall, answer: FailedAnswer, problem: string): Failure {
  const isPage = looksLikeHtml(answer);
  // A page of something in front of the instance: it may not have seen the request at all.
  const unknown = isPage && isChange(call.method);
  return new Failure("refused", describeCall(call), {
    code: "unexpected_answer",
    status: answer.status,
    method: call.method,
    path: call.path,
    reason: isPage ? `the address answered ${webPage}${unknown ? `; ${mayBeMade}` : ""}` : problem,
    ...(isPage && { hint: checkAddress }),
    ...(unknown && { outcome: "unknown", retryable: false }),
  });
}

const webPage = "with a web page, not with the platform's API";
const checkAddress = "check that the base URL is the instance's address: forgectl auth status";

function describeCall(call: FailedCall): string {
  const { summary } = call;
  return summary === undefined
    ? "the request failed"
    : `could not ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`;
}

type Json = Record<string, unknown>;

function parseBody(answer: FailedAnswer): Json | undefined {
  try {
    const body = parseAnswer(answer.text);
    return typeof body === "object" && body !== null ? (body as Json) : undefined;
  } catch {
    return undefined;
  }
}

function looksLikeHtml(answer: FailedAnswer): boolean {
  return /^\s*<(?:!doctype|html)/i.test(answer.text) || /\bhtml\b/.test(answer.headers["content-type"] ?? "");
}

function reasonOf(answer: FailedAnswer, body: Json | undefined, call: FailedCall): string {
  const isPage = looksLikeHtml(answer);
  if (answer.status === 404) return notFoundReason(body, call) + (isPage ? `; the address answered ${webPage}` : "");
  const said = messageOf(body);
  const meant = call.access?.means?.[answer.status];
  if (meant !== undefined && !isPage && (said === undefined || bare.test(said))) return meant;
  if (answer.status === 403 && call.access?.role !== undefined) {
    const need = `this needs the ${capitalize(call.access.role)} role`;
    return said === undefined || /^403\b/.test(said) ? need : `${said}; ${need}`;
  }
  if (said !== undefined) return said;
  if (isPage) return `the address answered ${answer.status} with a web page`;
  const text = answer.text.trim();
  const silent = text === "" || (body !== undefined && Object.keys(body).length === 0);
  return silent ? `the instance answered ${answer.status}` : text.slice(0, 300);
}

/** A status in words, and no reason. */
const bare = /^(?:\d{3}\s*)?\(?(?:bad request|unauthorized|forbidden)\)?$/i;

/** What was done already cannot be done again, and is refused then: no longer there, there already, once an hour. */
function doubtOf({ status }: FailedAnswer): string {
  if (!isUndone(status)) return `; ${mayBeMade}`;
  return "; the answer to an attempt before this one got lost, and that one may have done it";
}

function notFoundReason(body: Json | undefined, call: FailedCall): string {
  const said = messageOf(body);
  const detail = said === undefined || /^(?:404 )?not found$/i.test(said) ? "" : ` (${said})`;
  return call.credential === "none"
    ? `not found, or not visible without a token${detail}`
    : `not found, or not visible to this token${detail}`;
}

/** The server's own sentence, from whichever of its shapes it chose. */
function messageOf(body: Json | undefined): string | undefined {
  if (body === undefined) return undefined;
  const { message, error, error_description: description, errors } = body;
  if (typeof message === "string" && message !== "") return message;
  if (isObject(message)) {
    if (typeof message.error === "string") return message.error;
    return "the instance did not accept these values";
  }
  if (typeof description === "string") return description;
  if (typeof error === "string" && error !== "") return error;
  if (Array.isArray(message)) return message.map(wordsOf).join("; ");
  return Array.isArray(errors) ? errors.map(registryError).join("; ") : undefined;
}

/** The container registry's own shape: a list of `{ code, message }`. */
function registryError(error: unknown): string {
  if (!isObject(error)) return wordsOf(error);
  return [error.code, error.message].filter((part) => typeof part === "string" && part !== "").join(": ");
}

/** The validation shape of a 400 (`1-project-api: Errors`), nested entities flattened to dotted paths. */
function fieldsOf(body: Json | undefined): Record<string, string[]> | undefined {
  const message = body?.message;
  if (!isObject(message) || typeof message.error === "string") return undefined;
  const fields = new Map<string, string[]>();
  const visit = (value: unknown, path: string): void => {
    if (isObject(value))
      for (const [key, item] of Object.entries(value)) visit(item, path === "" ? key : `${path}.${key}`);
    else fields.set(path, (Array.isArray(value) ? value : [value]).map(wordsOf));
  };
  visit(message, "");
  // A name such as `__proto__` is a field like any other here.
  return Object.fromEntries(fields);
}

function codeOf(status: number, body: Json | undefined): string | undefined {
  if (body?.needs_captcha_response === true) return "captcha_needed";
  if (status === 400 || status === 422) return "invalid";
  return status >= 500 ? "server_error" : undefined;
}

function spamHint(body: Json | undefined): string | undefined {
  if (body?.needs_captcha_response !== true) return undefined;
  return (
    `solve the challenge (site key ${wordsOf(body.captcha_site_key)}) and send again with ` +
    `--captcha-response <answer> --spam-log-id ${wordsOf(body.spam_log_id)}`
  );
}

function hintOf(answer: FailedAnswer, call: FailedCall): string | undefined {
  const { access, credential } = call;
  const offered = offer(access);
  // No answer of the API's: of a web server in front of it, or of another one altogether.
  if (answer.status < 500 && looksLikeHtml(answer)) return checkAddress;
  switch (answer.status) {
    case 401:
      if (credential === "given") return undefined;
      if (credential === "none") return "sign in with forgectl auth login, or set FORGECTL_TOKEN";
      return credential === "job" ? jobTokenHint(access) : "forgectl auth status";
    case 403:
      if (credential === "given") return undefined;
      return credential === "job" ? jobTokenHint(access) : "forgectl auth status";
    case 404: {
      if (credential === "none") return "sign in with forgectl auth login, or set FORGECTL_TOKEN";
      const also = [...(offered === undefined ? [] : [offered]), ...(call.beyond ? [mayLack] : [])];
      if (also.length === 0) return access?.notFound;
      return `${access?.notFound ?? "check the ID or path"}; also, ${also.join(", and ")}`;
    }
    case 405:
      // Instances give no pages past 50,000 rows.
      if (/offset/i.test(answer.text))
        return "narrow the list with its filters, or walk it with --keyset if it has that";
      return "this instance does not offer it: for its release, its tier, or its kind of hosting";
    case 429: {
      const wait = answer.headers["retry-after"];
      return wait === undefined ? "wait, then try again" : `the instance asks to wait; Retry-After: ${wait}`;
    }
    default:
      return undefined;
  }
}

const mayLack = "an instance may lack this request, which is beyond the API documents";

/** `1-project-api: Authentication`: which job tokens are accepted at all. */
function jobTokenHint(access: Access | undefined): string {
  if (access?.jobToken !== true) return "job tokens are not accepted here; give an access token with FORGECTL_TOKEN";
  return (
    "a job token is accepted while its job runs only, and for artifacts in the Premium and Ultimate tiers only; " +
    "otherwise give an access token with FORGECTL_TOKEN"
  );
}

/** Where an endpoint exists at all: "this exists in the Premium and Ultimate tiers only". */
function offer(access: Access | undefined): string | undefined {
  const limits: string[] = [];
  if (access?.tier === "premium") limits.push("in the Premium and Ultimate tiers");
  if (access?.tier === "ultimate") limits.push("in the Ultimate tier");
  if (access?.hosting === "hosted") limits.push("on the hosted offering");
  if (access?.hosting === "self-managed") limits.push("on self-managed instances");
  return limits.length === 0 ? undefined : `this exists only ${limits.join(", ")}`;
}
