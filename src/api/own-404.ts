import { isObject } from "../base/is-object.ts";
import { type Json, messageOf, parseBody } from "./error-body.ts";
import type { FailedAnswer, FailedCall } from "./failed-call.ts";
import { looksLikeHtml } from "./hints.ts";

// A 404 says that something is not there only if the instance answered it. A gateway in front of an instance answers
// one as well, if it has no route for the path, or no instance to pass the request on to.

/**
 * Whether a 404 is the instance's own: JSON with nothing but a message that something was not found
 * (`{"message":"404 Project Not Found"}`, `{"error":"404 Not Found"}`), or a text that the endpoint declares.
 */
export function isOwn404(call: FailedCall, answer: FailedAnswer): boolean {
  if (looksLikeHtml(answer)) return false;
  // To a path that was typed, package registries and others answer in forms of their own.
  if (call.summary === undefined) return true;
  const body = parseBody(answer.text);
  if (call.method === "HEAD") return answer.text === "" && isJsonType(answer.headers["content-type"]);
  const isDeclared = call.access?.refusals?.some(({ as, says }) => as === 404 && says.test(answer.text)) === true;
  return isDeclared || (call.base === "registry" ? isRegistryError(body) : saysNotFound(body));
}

/** What instances answer to a path that they do not know; what a known path misses is a `message`. */
export function lacksRoute(body: Json | undefined): boolean {
  return body?.error === "404 Not Found";
}

/** An answer to HEAD has no body; its type may be left out. */
function isJsonType(type = "application/json"): boolean {
  return /\bjson\b/i.test(type);
}

/** Of those in front of an instance: instances write `404 Not Found`, or what was not found. */
const general =
  /^\W*(?:the )?(?:requested )?(?:route|path|page|url|endpoint|resource|service|host|site|app|application)? ?(?:was |is )?not found\W*$/i;

function saysNotFound(body: Json | undefined): boolean {
  if (!isObject(body) || !Object.keys(body).every((key) => key === "message" || key === "error")) return false;
  const message = messageOf(body) ?? "";
  return /\bnot found\b/i.test(message) && !general.test(message);
}

/** `{"errors":[{"code":"MANIFEST_UNKNOWN"}]}` */
function isRegistryError(body: Json | undefined): boolean {
  const errors: unknown = body?.errors;
  return Array.isArray(errors) && errors.some((each) => isObject(each) && typeof each.code === "string");
}
