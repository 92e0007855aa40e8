import { UsageError } from "../errors.ts";
import { encodeBody } from "./body.ts";
import type { AnyEndpoint, Base } from "./endpoint.ts";
import { type FailedCall, failureOf, strangeAnswer } from "./failure.ts";
import { readHeaders } from "./headers.ts";
import { countOf, linkTo, nextOf, type Page, walk } from "./pages.ts";
import type { Redactor } from "./redact.ts";
import { type BuiltBody, type BuiltRequest, buildRequest, secretsIn } from "./request.ts";
import type { Transport, WireRequest, WireResponse } from "./transport.ts";
import {
  type Api,
  type CallOptions,
  type DownloadOptions,
  DryRunStop,
  type Listing,
  type PlannedRequest,
  type RawRequest,
} from "./types.ts";

export interface ClientOptions {
  /** Addresses without a slash at the end; a missing one is a UsageError that names the ways to give it. */
  baseUrl(): string;
  registryUrl(): string;
  credential(): Promise<{ token: string; kind: "access" | "job" } | undefined>;
  /** Vendor part of special headers: `X-Service`. */
  headerPrefix: string;
  concurrency: number;
  dryRun: boolean;
  /** Opened on the first request. */
  transport(): Promise<Transport>;
  redactor: Redactor;
}

const largestPage = 100;
/** As much of an error's body as is read, in bytes. */
const errorBodyLimit = 256 * 1024;

export function createApi(options: ClientOptions): Api {
  const planned: PlannedRequest[] = [];
  const prepare = preparer(options);

  async function send(request: BuiltRequest, call: CallOptions, summary?: AnyEndpoint): Promise<Answered> {
    const prepared = await prepare(request, call);
    if (options.dryRun && request.method !== "GET" && request.method !== "HEAD") {
      planned.push(describe(prepared.wire, request.body, options.redactor));
      throw new DryRunStop();
    }
    const transport = await options.transport();
    const response = await transport.send(prepared.wire);
    const failed: FailedCall = {
      method: request.method,
      path: pathFrom(options.redactor.url(prepared.wire.url)),
      summary: summary?.summary,
      access: summary?.access,
      credential: prepared.credential,
    };
    return { response, call: failed };
  }

  async function expect(endpoint: AnyEndpoint, input: object, call: CallOptions = {}): Promise<Answered> {
    for (const secret of secretsIn(endpoint, input as Record<string, unknown>)) options.redactor.add(secret);
    const request = buildRequest(endpoint, input as Record<string, unknown>);
    const answered = await send(request, call, endpoint);
    return refuseFailure(answered);
  }

  return {
    planned,

    async call(endpoint, input, call) {
      const answered = await expect(endpoint, input as object, call);
      return (await readAnswer(endpoint, answered, options.headerPrefix)) as never;
    },

    list(endpoint, input, window) {
      const perPage = window.perPage ?? largestPage;
      const ask = async (request: BuiltRequest): Promise<Page<never>> =>
        readPage(await refuseFailure(await send(request, {}, endpoint)));
      const built = buildRequest(endpoint, input as Record<string, unknown>);
      const source = {
        byNumber: (page: number) => ask(withPage(built, page, perPage)),
        byUrl: (url: string) => ask({ ...built, path: ownPath(url, options.baseUrl()) }),
      };
      return walk(source, { ...window, perPage }, options.concurrency) as Listing<never>;
    },

    async download(endpoint, input, call: DownloadOptions = {}) {
      // Not compressed on the way: positions and the validator are then those of the content itself.
      const headers: Record<string, string> = { accept: "*/*", "accept-encoding": "identity", ...call.headers };
      if (call.start !== undefined && call.start > 0) headers.range = `bytes=${call.start}-`;
      if (call.ifRange !== undefined && call.start) headers["if-range"] = call.ifRange;
      const { response } = await expect(endpoint, input as object, { ...call, headers });
      return response;
    },

    raw: async (request) => {
      const { response, call } = await send(rawRequest(request, options.baseUrl()), rawOptions(request));
      return { ...response, failure: async () => failureOf(call, await answerOf(response)) };
    },
  };
}

interface Answered {
  response: WireResponse;
  call: FailedCall;
}

async function refuseFailure(answered: Answered): Promise<Answered> {
  const { response, call } = answered;
  if (response.status >= 200 && response.status < 300) return answered;
  throw failureOf(call, await answerOf(response));
}

async function answerOf(response: WireResponse) {
  return { status: response.status, headers: response.headers, text: await readText(response, errorBodyLimit) };
}

/** Adds the address, the credential, and the body to a built request. */
function preparer(options: ClientOptions) {
  return async (request: BuiltRequest, call: CallOptions) => {
    const headers: Record<string, string> = { accept: "application/json" };
    for (const [name, value] of Object.entries({ ...request.headers, ...call.headers })) {
      headers[name.toLowerCase().replace(/^x-service(?=-)/, options.headerPrefix.toLowerCase())] = value;
    }
    let credential: FailedCall["credential"] = "none";
    if (call.authorization !== undefined) {
      options.redactor.addAuthorization(call.authorization);
      headers.authorization = call.authorization;
      credential = "given";
    } else if (call.signedIn !== undefined) credential = call.signedIn;
    else if (request.base === "api") {
      const found = await options.credential();
      if (found !== undefined) {
        options.redactor.add(found.token);
        headers[found.kind === "job" ? "job-token" : "private-token"] = found.token;
        credential = found.kind;
      }
    }
    const wire: WireRequest = {
      method: request.method,
      url: addressOf(request.base, options) + request.path,
      headers,
      secretHeaders: ["private-token", "job-token", "authorization"],
    };
    if (request.body !== undefined) {
      const encoded = encodeBody(request.body);
      headers["content-type"] = encoded.contentType;
      wire.body = encoded.body;
    }
    return { wire, credential };
  };
}

function addressOf(base: Base, options: ClientOptions): string {
  if (base === "registry") return options.registryUrl();
  return base === "instance" ? options.baseUrl() : `${options.baseUrl()}/api/v4`;
}

function describe(wire: WireRequest, body: BuiltBody | undefined, redactor: Redactor): PlannedRequest {
  return { method: wire.method, url: redactor.url(wire.url), body: redactor.json(bodyAsShown(body)) };
}

function bodyAsShown(body: BuiltBody | undefined): unknown {
  if (body === undefined) return null;
  if (body.kind === "json") return body.value;
  if (body.kind === "raw") return `${body.contentType}, ${body.body.size} bytes`;
  const shown: Record<string, string> = Object.fromEntries(body.pairs);
  if (body.kind === "multipart" && body.file !== undefined) {
    shown[body.file.name] = `${body.file.source.name} (${body.file.source.size} bytes)`;
  }
  return shown;
}

async function readAnswer(endpoint: AnyEndpoint, answered: Answered, headerPrefix: string): Promise<unknown> {
  const { response } = answered;
  if (typeof endpoint.returns === "object" && "headers" in endpoint.returns) {
    await response.discard();
    return readHeaders(endpoint.returns.headers, response.headers, headerPrefix);
  }
  if (endpoint.returns === "bytes") return response.body;
  if (endpoint.returns === "nothing") {
    await response.discard();
    return undefined;
  }
  const value = await readJson(answered);
  if (endpoint.returns === "json") return value;
  const fits = endpoint.page === undefined ? isObject(value) : Array.isArray(value) && value.every(isObject);
  if (!fits) throw unexpected(answered, `expected ${endpoint.page === undefined ? "an object" : "a list of objects"}`);
  return value;
}

async function readPage(answered: Answered): Promise<Page<never>> {
  const { response } = answered;
  const rows = await readJson(answered);
  if (!Array.isArray(rows) || !rows.every(isObject)) throw unexpected(answered, "expected a list of objects");
  const link = response.headers.link;
  const next = link === undefined ? undefined : linkTo(link, "next");
  const headers =
    next === undefined
      ? response.headers
      : { ...response.headers, link: `<${new URL(next, response.url).href}>; rel="next"` };
  return {
    rows: rows as never[],
    next: nextOf(headers),
    total: countOf(response.headers["x-total"]),
    totalPages: countOf(response.headers["x-total-pages"]),
  };
}

async function readJson(answered: Answered): Promise<unknown> {
  const text = await readText(answered.response);
  try {
    return JSON.parse(text);
  } catch {
    throw unexpected(answered, "the answer is not whole, valid JSON", text);
  }
}

function unexpected({ response, call }: Answered, problem: string, text = "") {
  return strangeAnswer(call, { status: response.status, headers: response.headers, text }, problem);
}

async function readText(response: WireResponse, limit = Infinity): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The first page is not named: a list by cursor has none. */
function withPage(request: BuiltRequest, page: number, perPage: number): BuiltRequest {
  const separator = request.path.includes("?") ? "&" : "?";
  const number = page === 1 ? "" : `&page=${page}`;
  return { ...request, path: `${request.path}${separator}per_page=${perPage}${number}` };
}

/** A `Link` target as a path of this instance; one that leads elsewhere is refused, since the token would follow. */
function ownPath(url: string, baseUrl: string): string {
  const root = `${baseUrl}/api/v4`;
  const target = new URL(url, `${root}/`).href;
  const normalRoot = new URL(root).href;
  if (!target.startsWith(`${normalRoot}/`)) {
    throw new UsageError(`"${target}" is not an address of ${baseUrl}`, {
      hint: "set the base URL to the address that the instance uses for itself",
    });
  }
  return target.slice(normalRoot.length);
}

function rawRequest(request: RawRequest, baseUrl: string): BuiltRequest {
  const absolute = /^https?:/i.test(request.path);
  const path = absolute
    ? ownPath(request.path, baseUrl)
    : `/${request.path.replace(/^\/+/, "").replace(/^api\/v4\//, "")}`;
  return { method: request.method, base: "api", path, headers: {}, body: request.body };
}

function rawOptions(request: RawRequest): CallOptions {
  return request.headers === undefined ? {} : { headers: request.headers };
}

function pathFrom(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/]+/i, "");
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
