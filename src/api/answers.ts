import { Failure } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { type AnyEndpoint, changes, entityOf } from "./endpoint.ts";
import { type Json, messageOf } from "./error-body.ts";
import type { FailedCall } from "./failed-call.ts";
import { failureOf, unexpectedAnswer } from "./failure.ts";
import type { Entity } from "./field.ts";
import { readHeaders } from "./headers.ts";
import { CostlyJson, parseAnswer } from "./json.ts";
import { isDeleted, otherObject } from "./object-in-path.ts";
import { countOf, linkTo, nextOf } from "./page-headers.ts";
import type { ReceivedPage } from "./prefetch.ts";
import { hasField, proofProblem, rowProblem, shapeProblem } from "./shape.ts";
import { isStatusAlone } from "./status-body.ts";
import type { WholeBody, WireResponse } from "./transport/message.ts";

/** Maximum size of an error's body that is read, in bytes. */
const errorBodyLimit = 256 * 1024;

export interface Answered {
  response: WireResponse;
  call: FailedCall;
}

/** Returns a success (2xx); any other status is thrown as a Failure. */
export async function throwUnlessSuccess(answered: Answered): Promise<Answered> {
  const { response, call } = answered;
  if (response.status >= 200 && response.status < 300) return answered;
  throw failureOf(call, await answerOf(response));
}

/**
 * The parts of an answer that an error is made of: only the beginning of a long body is read, as UTF-8. If the body
 * is incomplete, the received part suffices, since the status matters most.
 */
export async function answerOf(response: WireResponse) {
  const chunks: Uint8Array[] = [];
  try {
    await collect(response, chunks, errorBodyLimit);
  } catch (error) {
    if (!(error instanceof Failure) || error.exit !== "network") throw error;
  }
  return { status: response.status, headers: response.headers, text: Buffer.concat(chunks).toString("utf8") };
}

/** Refuses an encoded body that was requested unencoded: its offsets and size would not match the content's. */
export function refuseEncoded({ response, call }: Answered): void {
  const encoding = response.headers["content-encoding"];
  if (encoding === undefined || /^identity$/i.test(encoding) || response.headers["content-length"] === "0") return;
  throw new Failure("integrity", `the content has an encoding that was not requested: ${encoding}`, {
    code: "unexpected_encoding",
    method: call.method,
    path: call.path,
    status: response.status,
    hint: "a proxy in front of the instance may have added it: connect to the instance directly",
  });
}

/**
 * The value of a successful answer, in the form that its endpoint declares. Another form (a web page, invalid JSON, a
 * list in place of an object, also in a field) is a Failure (exit 1) that names it; missing and unknown fields are
 * tolerated.
 *
 * @param headerPrefix prefix of the vendor's headers, from which an entity is read: `X-Service`
 */
export async function readAnswer(endpoint: AnyEndpoint, answered: Answered, headerPrefix: string): Promise<unknown> {
  const { response } = answered;
  if (typeof endpoint.returns === "object" && "headers" in endpoint.returns) {
    await response.discard();
    const record = readHeaders(endpoint.returns.headers, response.headers, headerPrefix);
    if (Object.keys(record).length === 0) throw unexpected(answered, "the answer lacks the expected headers");
    refuseOther(answered, endpoint, record);
    checkRows(answered, endpoint, [record]);
    return record;
  }
  if (endpoint.returns === "bytes") return response.body;
  if (endpoint.returns === "nothing") return void (await readStatus(answered));
  if (endpoint.returns === "status") return readStatus(answered);
  const body = await readWhole(response);
  // If the form of an answer is not specified, an empty answer is allowed.
  if (endpoint.returns === "json" && body.bytes().length === 0) return undefined;
  const value = parseJson(answered, body);
  if (changes(endpoint)) refuseReported(answered, value, entityOf(endpoint)?.shape);
  if (isObject(value)) refuseOther(answered, endpoint, value);
  if (endpoint.returns === "json") return value;
  const fits = endpoint.page === undefined ? isObject(value) : Array.isArray(value) && value.every(isObject);
  if (!fits) throw unexpected(answered, `expected ${endpoint.page === undefined ? "an object" : "a list of objects"}`);
  checkRows(answered, endpoint, [value].flat() as Json[]);
  const entity = entityOf(endpoint);
  // A change that can be looked at is.
  if (endpoint.readBy !== undefined || !isObject(value) || entity === undefined) return value;
  if (changes(endpoint)) refuseUnproven(answered, value, entity);
  else if (!hasField(entity.shape, value)) {
    throw unexpected(answered, `the answer has none of the fields of ${entity.name}`);
  }
  return value;
}

/** What is in front of an instance may mix up its answers: of a change, this one says nothing. */
function refuseOther(answered: Answered, endpoint: AnyEndpoint, value: Json): void {
  const other = otherObject(endpoint, answered.call.path, value);
  if (other === undefined) return;
  throw unexpected(answered, other).with(changes(endpoint) ? { outcome: "unknown", retryable: false } : {});
}

function refuseUnproven(answered: Answered, value: Json, entity: Entity): void {
  // One that is only accepted may return something else.
  if (answered.response.status === 202 && entity.proof === undefined) return;
  const problem = proofProblem(entity, value);
  if (problem !== undefined) throw unexpected(answered, problem).with({ outcome: "unknown", retryable: false });
}

/**
 * Where no content is documented, an answer is empty, says no more than a status, or has the object that was deleted.
 * Anything else may be the answer of something in front of the instance, to which the request was never passed on.
 */
async function readStatus(answered: Answered): Promise<unknown> {
  // A proxy's sign-in page answers 200 to everything.
  if (isWebPage(answered.response)) throw unexpected(answered, "the answer is a web page");
  const chunks: Uint8Array[] = [];
  await collect(answered.response, chunks, errorBodyLimit);
  const bytes = Buffer.concat(chunks);
  if (bytes.length === 0) return undefined;
  const value = parseJson(answered, { bytes: () => bytes, free: () => {} });
  refuseReported(answered, value);
  if (isStatusAlone(value) || isDeleted(answered.call, value)) return value;
  throw unexpected(answered, "expected no content").with({ outcome: "unknown", retryable: false });
}

/** A change that is answered with success and the text of an error may not have been made: only a check tells. */
function refuseReported({ response, call }: Answered, value: unknown, shape?: object): void {
  if (!isObject(value) || !reportsError(value, shape)) return;
  const { headers, status } = response;
  const reason = `the answer has status ${status}, and an error: ${messageOf(value) ?? "without a message"}`;
  const failure = unexpectedAnswer(call, { status, headers, text: "" }, reason);
  throw failure.with({ outcome: "unknown", retryable: false });
}

/** @param shape the fields that the answer is to have: some have errors among them, or a status of their own */
function reportsError({ error, errors, success, status }: Json, shape?: object): boolean {
  const said = Object.entries({ error, errors }).filter(([name]) => !(name in (shape ?? {})));
  return (
    said.some(([, value]) => !isNothing(value)) || success === false || (shape === undefined && status === "error")
  );
}

function isNothing(value: unknown): boolean {
  return !value || (typeof value === "object" && Object.keys(value).length === 0);
}

/**
 * One unparsed page of a list, and where the list continues; anything but a list of such objects is a
 * Failure (exit 1) when it is parsed.
 */
export async function receivePage(endpoint: AnyEndpoint, answered: Answered): Promise<ReceivedPage<never>> {
  const { response } = answered;
  const body = response.whole ?? (await readWhole(response));
  const { length } = body.bytes();
  const link = response.headers.link;
  const next = link === undefined ? undefined : linkTo(link, "next");
  if (next !== undefined && !URL.canParse(next, response.url)) {
    throw unexpected(answered, "the address of the next page is not valid");
  }
  const headers =
    next === undefined
      ? response.headers
      : { ...response.headers, link: `<${new URL(next, response.url).href}>; rel="next"` };
  return {
    bytes: length,
    empty: length <= "[]\n".length,
    open: () => rowsOf(endpoint, answered, body) as never[],
    next: nextOf(headers),
    total: countOf(response.headers["x-total"]),
    totalPages: countOf(response.headers["x-total-pages"]),
  };
}

function rowsOf(endpoint: AnyEndpoint, answered: Answered, body: WholeBody): Json[] {
  const rows = parseJson(answered, body);
  if (!Array.isArray(rows) || !rows.every(isObject)) throw unexpected(answered, "expected a list of objects");
  checkRows(answered, endpoint, rows);
  return rows;
}

function checkRows(answered: Answered, endpoint: AnyEndpoint, rows: readonly Json[]): void {
  const entity = entityOf(endpoint);
  if (entity === undefined) return;
  // Whatever the answer to a change lacks, the change was made.
  const problemOf = changes(endpoint) ? shapeProblem : rowProblem;
  for (const row of rows) {
    const problem = problemOf(entity.shape, row);
    if (problem !== undefined) throw unexpected(answered, `in a ${entity.name} of the answer, ${problem}`);
  }
}

/** Parses a body and releases its memory. */
function parseJson(answered: Answered, body: WholeBody): unknown {
  const bytes = body.bytes();
  try {
    return parseAnswer(bytes);
  } catch (error) {
    throw unexpected(answered, jsonProblem(error), bytes.toString("utf8", 0, errorBodyLimit));
  } finally {
    body.free();
  }
}

/** Why an answer was not parsed. */
export function jsonProblem(error: unknown): string {
  if (error instanceof CostlyJson) return `the answer is too costly to read: ${error.message}`;
  return "the answer is not complete, valid JSON";
}

function unexpected({ response, call }: Answered, problem: string, text = "") {
  return unexpectedAnswer(call, { status: response.status, headers: response.headers, text }, problem);
}

/** A decoded body in one piece, which owns its memory. */
async function readWhole(response: WireResponse): Promise<WholeBody> {
  const chunks: Uint8Array[] = [];
  await collect(response, chunks, Infinity);
  const bytes = Buffer.concat(chunks);
  return { bytes: () => bytes, free: () => {} };
}

async function collect(response: WireResponse, chunks: Uint8Array[], limit: number): Promise<void> {
  let size = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) break;
  }
}

/**
 * A proxy in front of the instance answered: with a sign-in page, or that the instance is unavailable. A 204 has no
 * body, whatever type of one it names.
 */
export function isWebPage({ status, headers }: Pick<WireResponse, "status" | "headers">): boolean {
  const isEmpty = status === 204 || headers["content-length"] === "0";
  return !isEmpty && /^text\/html\b/i.test(headers["content-type"] ?? "");
}

/** Whether an answer is from another origin, and no file: if it is a page, it is one to sign in there. */
export function isElsewhere({ url, headers }: Pick<WireResponse, "url" | "headers">, baseUrl: string): boolean {
  return new URL(url).origin !== new URL(baseUrl).origin && headers["content-disposition"] === undefined;
}
