import type { RawRequest, RawResponse } from "../../api/api.ts";
import { inMemory } from "../../api/body.ts";
import type { Method } from "../../api/endpoint.ts";
import { array, boolean, oneOf, required, string } from "../../api/field.ts";
import { isChange, isRepeatable } from "../../api/outcome.ts";
import { type BuiltBody, encodePairs, flattenPairs } from "../../api/request.ts";
import { UsageError } from "../../base/errors.ts";
import { readWord } from "../../base/read-value.ts";
import { isSecretName } from "../../base/secret-names.ts";
import { hideSecrets, mask } from "../../base/secrets.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import type { View } from "../../terminal/view.ts";
import { readAll, readSource, readTextSource } from "../../transfer/source.ts";
import { concealSent, searchable, warnOfExposed } from "../../verbs/leak-warning.ts";
import { type CaptchaInput, captchaFlags, captchaOptions } from "../posting/captcha.ts";
import { allPages } from "./all-pages.ts";
import { assignPairs, refuseMixedLists } from "./assignment.ts";
import { headersOf } from "./headers.ts";
import { queryOf } from "./query.ts";
import { parsed, warnIfRounded } from "./raw-answer.ts";
import { refuseMasks } from "./sent-masks.ts";
import { typedPath } from "./typed-path.ts";
import { lastName, splitPair, typedIds, typedPairsOf } from "./typed-words.ts";
import { isValueOfVariable, minMasked, secretFieldsAt, valuesOfVariables } from "./variables.ts";

export const api = command({
  name: "api",
  details:
    "For requests that have no command, and for experiments. The path is below /api/v4. With -f or -F the method is POST " +
    "unless -X says otherwise; a GET sends them in the query. Nothing is checked or asked: neither parameters, nor " +
    "whether an instance stored what was sent, nor before a deletion; a protected profile still asks. " +
    "A failed request is an error with the usual exit code. " +
    "JSON is printed unchanged, except for secrets, unless -o selects another format.",
  args: { path: required(string("Path below /api/v4, with or without a query", { min: 1 })) },
  params: {
    method: oneOf(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"], "Request method", { short: "X" }),
    raw_field: array(string("", { placeholder: "key=value" }), "A text parameter; nested as a[b]=c, a[]=c", {
      short: "f",
    }),
    field: array(
      string("", { placeholder: "key=value" }),
      "A typed parameter: true, false, null, a number, or @file (@- is stdin)",
      { short: "F", completes: "value-file" },
    ),
    header: array(string("", { placeholder: "name: value" }), "A request header", { short: "H" }),
    header_file: string("Read request headers from this file, one per line", {
      placeholder: "file|-",
      completes: "file",
    }),
    input: string("Request body from this file, unchanged", { placeholder: "file|-", completes: "file" }),
    paginate: boolean("Fetch all pages; in a pipe, one JSON object per line"),
    ...captchaFlags,
    reveal: boolean("Show secret values in the answer, and credentials in addresses"),
    include: boolean("Show the answer's status and headers before its body", { short: "i" }),
  },
  examples: [
    { line: "api user" },
    { line: "api users -X GET -f search=ada --jq '.[].username'" },
    { line: "api users --paginate -o ndjson", note: "a complete list, streamed" },
    { line: "api projects/7/error_tracking/settings -X PUT -F active=true -F integrated=true" },
  ],
  related: ["commands"],
  changes: (input) => isChange(methodOf(input)),
  deletes: (input) => methodOf(input) === "DELETE",
  repeatable: (input) => isRepeatable(methodOf(input)),
  secretsIn: (input) => valuesOfVariables(String(input.path), typedPairsOf(input)),
  idsIn: typedIds,
  async run(context, { reveal = false, ...input }) {
    if (input.input !== undefined && (input.raw_field ?? input.field) !== undefined) {
      throw new UsageError("--input is the whole body: leave out -f and -F");
    }
    const request = await requestOf(context, input);
    if (input.paginate) {
      if (request.method !== "GET") throw new UsageError("--paginate needs GET");
      if (input.include) throw new UsageError("give only one of --paginate and --include");
      const rows = allPages(context, request);
      return { rows: reveal ? rows : noticed(context, rows), reveal };
    }
    const response = await context.api.raw(request);
    if (input.include) return { bytes: withHead(context, response, reveal) };
    if (response.failed) throw await response.failure();
    return show(context, response, reveal);
  },
});

interface Input extends CaptchaInput {
  path: string;
  method?: Method | undefined;
  raw_field?: string[] | undefined;
  field?: string[] | undefined;
  header?: string[] | undefined;
  header_file?: string | undefined;
  input?: string | undefined;
}

async function requestOf(context: Context, input: Input): Promise<RawRequest> {
  const values: Record<string, unknown> = {};
  const raw = (input.raw_field ?? []).map(splitPair);
  const typedPairs = (input.field ?? []).map(splitPair);
  refuseMixedLists(raw, typedPairs);
  assignPairs(values, raw);
  for (const [key, value] of typedPairs) {
    const isFile = value.startsWith("@");
    const content = isFile ? await readTextSource(context, value.slice(1)) : readWord(value);
    if (isFile && isValueOfVariable(input.path, key)) concealValue(context, String(content));
    assignPairs(values, [[key, content]]);
  }
  refuseTokens([...Object.keys(queryOf(input.path)), ...Object.keys(values)]);
  const secret = secretFieldsAt(input.path);
  for (const [key] of typedPairsOf(input).map(splitPair)) {
    const name = lastName(key);
    const isSecret = isSecretName(name) || isValueOfVariable(input.path, key);
    warnOfExposed(context, name, `give it with -F '${key}=@file'`, isSecret);
  }
  const hasValues = Object.keys(values).length > 0;
  const method = methodOf(input);
  const inQuery = hasValues && (method === "GET" || method === "HEAD");
  const body = input.input === undefined ? undefined : await readSource(context, input.input);
  const headers = await headersOf(context, input);
  const query = queryOf(input.path);
  const sent = [values, query, body && searchable(body)];
  if (isChange(method)) refuseMasks(method, sent, secret);
  concealSent(context, [sent, headers]);
  // In a body it is hidden as a field; an address may be repeated in any form, such as by a proxy that redirects it.
  const { value = "" } = query;
  if (secret !== undefined) concealValue(context, value);
  return {
    method,
    path: typedPath(inQuery ? withQuery(input.path, values) : input.path, method),
    headers: { ...headers, ...captchaOptions(input).headers },
    ...(body !== undefined && { body: jsonBody(body) }),
    ...(hasValues && !inQuery && { body: { kind: "json", value: values, ...(secret && { secret }) } as const }),
  };
}

/** An instance may repeat it in an error, without the spaces around it. A part of its own address may be shown. */
function concealValue(context: Context, value: string): void {
  const text = value.trim();
  if (text.length >= minMasked && !context.config.baseUrl?.value.includes(text)) context.conceal(text);
}

/** POST if there are values to send, unless `-X` says otherwise. */
function methodOf({ method, raw_field: raw = [], field = [], input }: Partial<Input>): Method {
  return method ?? (raw.length + field.length > 0 || input !== undefined ? "POST" : "GET");
}

/** The parameters that sign a request in; others hold tokens as data. */
const signingIn = new Set(["private_token", "job_token", "access_token"]);

function refuseTokens(names: readonly string[]): void {
  const found = names.find((name) => signingIn.has(name.toLowerCase()));
  if (found === undefined) return;
  throw new UsageError(`${found} would be visible in process lists; set the token in FORGECTL_TOKEN`);
}

function withQuery(path: string, values: Record<string, unknown>): string {
  return `${path}${path.includes("?") ? "&" : "?"}${encodePairs(flattenPairs(values))}`;
}

function jsonBody(bytes: Uint8Array): BuiltBody {
  return { kind: "raw", contentType: "application/json", body: inMemory(bytes) };
}

async function show(context: Context, response: RawResponse, reveal: boolean): Promise<View | undefined> {
  if (!isJson(response)) return { bytes: response.body };
  const bytes = await readAll(response.body);
  if (bytes.length === 0) return undefined;
  const value = parsed(bytes);
  if (!reveal) noticeHidden(context, value);
  warnIfRounded(context, bytes);
  return { value, reveal, ...(isAsWritten(value) && { text: bytes.toString("utf8").trim() }) };
}

function noticeHidden(context: Context, value: unknown): boolean {
  const isHidden = hideSecrets(value) !== value;
  if (isHidden) context.notice("secrets in the answer are hidden; --reveal shows them");
  return isHidden;
}

/** Says once that something in the rows is hidden. */
async function* noticed(context: Context, rows: AsyncIterable<object>): AsyncGenerator<object> {
  let isToSay = true;
  for await (const row of rows) {
    if (isToSay) isToSay = !noticeHidden(context, row);
    yield row;
  }
}

/** A text alone is printed without its quotes, and null as an empty line. */
function isAsWritten(value: unknown): boolean {
  return value !== null && typeof value !== "string";
}

function isJson({ headers }: RawResponse): boolean {
  return /\bjson\b/.test(headers["content-type"] ?? "");
}

async function* withHead(context: Context, response: RawResponse, reveal: boolean): AsyncGenerator<Uint8Array> {
  const head = Object.entries(response.headers).map(
    ([name, value]) => `${name}: ${!reveal && isSecretName(name) ? mask : value}\n`,
  );
  yield Buffer.from(`HTTP ${response.status}\n${head.join("")}\n`);
  // An error's body goes to stderr: stdout is for data.
  if (response.failed) throw await response.failure();
  yield* reveal || !isJson(response) ? response.body : hiddenBody(context, response);
}

/** The body, unchanged unless it contains a secret. */
async function* hiddenBody(context: Context, response: RawResponse): AsyncGenerator<Uint8Array> {
  const bytes = await readAll(response.body);
  if (bytes.length === 0) return;
  const value = parsed(bytes);
  yield noticeHidden(context, value) ? Buffer.from(JSON.stringify(hideSecrets(value))) : bytes;
}
