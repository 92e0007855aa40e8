import { Failure } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import type { Pause } from "../base/look-again.ts";
import {
  type Answered,
  answerOf,
  isElsewhere,
  isWebPage,
  readAnswer,
  receivePage,
  refuseEncoded,
  throwUnlessSuccess,
} from "./answers.ts";
import {
  type Api,
  type CallOptions,
  type DownloadOptions,
  DryRunStop,
  type Listing,
  maxPageSize,
  type ObservedAnswer,
  type PlannedRequest,
  type RawRequest,
} from "./api.ts";
import { refuseCut, refuseOtherName } from "./cut-names.ts";
import { type AnyEndpoint, entityOf } from "./endpoint.ts";
import type { FailedCall } from "./failed-call.ts";
import { failureOf, leavesOpen, unexpectedAnswer } from "./failure.ts";
import { namingFlags } from "./flag-names.ts";
import { jobTokenRefused, publicOnly, takesNoJobToken } from "./job-token.ts";
import { linkedPath, ownPath, pagesOf } from "./listing.ts";
import { MovedPlaces } from "./moved-places.ts";
import { afterMade, isChange, isRepeatable, mayHaveBeenMade, removeLast, unread } from "./outcome.ts";
import { walk } from "./pages.ts";
import type { ReceivedPage } from "./prefetch.ts";
import { describe, type Instance, preparer } from "./prepared-request.ts";
import { type BuiltRequest, buildRequest } from "./request.ts";
import { keepSecret, refuseShownMasks } from "./secret-texts.ts";
import { shorterList, watchingTotal } from "./shorter-lists.ts";
import { shownChange } from "./shown-change.ts";
import type { Transport } from "./transport/message.ts";
import { type Watcher, watched } from "./watcher.ts";

interface ClientOptions extends Instance {
  concurrency: number;
  dryRun: boolean;
  pause: Pause;
  /** Created on the first request. */
  transport(): Promise<Transport>;
  watcher?: Watcher;
  observe?: ((answer: ObservedAnswer) => void) | undefined;
  /** Called with a warning about an answer, such as one that shows only a part. */
  warn?(text: string): void;
  moved?: MovedPlaces;
  /** Called with the method and path of every change that the instance accepted, also through a fork. */
  onMade?(change: string): void;
  /** Called with one of which no answer says whether it was made; `onMade` may have been called with it before. */
  onLost?(change: string, wasCounted?: boolean): void;
  /** Called with one of those that a check has found. */
  onFound?(change: string): void;
}

/** Creates the client for these addresses and this credential; it connects on the first request. */
export function createApi(given: ClientOptions): Api {
  const moved = given.moved ?? new MovedPlaces();
  const options = { ...given, moved };
  // An observer of an API sees the answers to its forks too.
  const andThen = (observe: (answer: ObservedAnswer) => void) => (answer: ObservedAnswer) => {
    given.observe?.(answer);
    observe(answer);
  };
  const planned: PlannedRequest[] = [];
  const made: string[] = [];
  const onMade = (change: string) => {
    made.push(change);
    options.onMade?.(change);
  };
  const uncount = (change: string) => {
    removeLast(made, change);
    options.onLost?.(change, true);
  };
  const send = sender(options, planned, onMade);

  async function expect(endpoint: AnyEndpoint, input: object, call: CallOptions = {}): Promise<Answered> {
    keepSecret(options.redactor, endpoint.params, input);
    if (isChange(endpoint.method)) refuseShownMasks(endpoint.params, input);
    const request = buildRequest(endpoint, input as Record<string, unknown>);
    const answered = await send({ ...request, whole: isDocument(endpoint) }, call, endpoint);
    return throwUnlessSuccess(answered).catch((error: unknown) => {
      throw namingFlags(error, endpoint.params);
    });
  }

  const api: Api = {
    planned,
    made,
    noteMade({ details: { method, path } }) {
      const change = `${method} ${path}`;
      if (!made.includes(change)) onMade(change);
      options.onFound?.(change);
    },

    async call(endpoint, input, call) {
      await refuseCut(api, endpoint, input as object);
      const answered = await expect(endpoint, input as object, call);
      const value = await watched(options.watcher, () => readAnswer(endpoint, answered, options.headerPrefix)).catch(
        (error: unknown) => {
          throw isChange(endpoint.method) ? unread(error, endpoint.method, uncount) : error;
        },
      );
      keepSecret(options.redactor, entityOf(endpoint)?.shape ?? {}, value);
      refuseOtherName(endpoint, input as object, value);
      if (endpoint.method === "GET" && isObject(value)) moved.noteObject(answered.call.path, value);
      if (!isChange(endpoint.method) || call?.unchecked) return value as never;
      return (await shownChange({ api, pause: options.pause }, endpoint, input as object, value, call)) as never;
    },

    list(endpoint, input, window) {
      const perPage = window.perPage ?? maxPageSize;
      const built = { ...buildRequest(endpoint, input as Record<string, unknown>), whole: true };
      const shape = entityOf(endpoint)?.shape ?? {};
      const ask = async (request: BuiltRequest): Promise<ReceivedPage<never>> => {
        const answered = await throwUnlessSuccess(await send(request, {}, endpoint));
        const page = await watched(options.watcher, () => receivePage(endpoint, answered));
        const open = () => {
          const rows = page.open();
          keepSecret(options.redactor, shape, rows);
          return rows;
        };
        return { ...page, open };
      };
      const source = pagesOf({ endpoint, input: input as object, built, perPage }, ask, options.baseUrl);
      const { onShorter = () => options.warn?.(shorterList) } = window;
      const watching = { ...watchingTotal(source, made, onShorter), counted: options.watcher?.counted };
      return walk(watching, { ...window, perPage }, options.concurrency) as Listing<never>;
    },

    async download(endpoint, input, call: DownloadOptions = {}) {
      // Without compression, offsets and the validator are those of the content itself.
      const headers: Record<string, string> = { accept: "*/*", "accept-encoding": "identity", ...call.headers };
      if (call.start !== undefined && call.start > 0) headers.range = `bytes=${call.start}-`;
      if (call.ifRange !== undefined && call.start) headers["if-range"] = call.ifRange;
      const answered = await expect(endpoint, input as object, { ...call, headers });
      refuseEncoded(answered);
      return answered.response;
    },

    async planDownload(endpoint, input, { file, ...call }) {
      keepSecret(options.redactor, endpoint.params, input);
      const prepared = await preparer(options)(buildRequest(endpoint, input as Record<string, unknown>), call);
      planned.push({ ...describe(prepared, undefined, options.redactor), file });
      throw new DryRunStop();
    },

    fork: ({ observe, ...more } = {}) =>
      createApi({ ...options, ...(observe && { observe: andThen(observe) }), ...more }),

    probe: async () => (await options.transport()).probe(options.baseUrl()),

    raw: async (request) => {
      const { response, call } = await send(rawRequest(request, options.baseUrl()), rawOptions(request));
      // A change is not made by a redirect, nor by what answers with a page in front of the instance.
      const failed = response.status >= (isChange(request.method) ? 300 : 400);
      const isNoAnswer = isChange(request.method) || isElsewhere(response, options.baseUrl());
      const foreign = !failed && isNoAnswer && isWebPage(response);
      return {
        ...response,
        failed: failed || foreign,
        failure: async () => {
          const answer = await answerOf(response);
          return foreign ? unexpectedAnswer(call, answer, "the answer is a web page") : failureOf(call, answer);
        },
      };
    },
  };
  return api;
}

type Send = (request: BuiltRequest, call: CallOptions, endpoint?: AnyEndpoint) => Promise<Answered>;

/** Sends a request and returns any answer. `onMade` is called with a change, in a dry run it is only in `planned`. */
function sender(options: ClientOptions, planned: PlannedRequest[], onMade: (change: string) => void): Send {
  const prepare = preparer(options);
  return async (request, call, endpoint) => {
    const prepared = await prepare(request, call);
    if (request.base === "api") options.moved?.refuse(request.method, request.path);
    if (options.dryRun && (isChange(request.method) || call.changes)) {
      planned.push(describe(prepared, request.body, options.redactor));
      throw new DryRunStop();
    }
    const isStranger = endpoint !== undefined && prepared.credential === "job" && takesNoJobToken(endpoint);
    if (isStranger && isChange(request.method))
      throw jobTokenRefused(request.summary ?? endpoint.summary, prepared.tokenSource);
    const transport = await options.transport();
    const change = `${request.method} ${pathFrom(options.redactor.url(prepared.wire.url))}`;
    const response = await watched(options.watcher, () => transport.send(prepared.wire)).catch((error: unknown) => {
      if (mayHaveBeenMade(error)) options.onLost?.(change);
      if (!(error instanceof Failure) || error.details.outcome !== "made") throw error;
      onMade(change);
      throw afterMade(error);
    });
    const failed: FailedCall = {
      method: request.method,
      path: pathFrom(options.redactor.url(prepared.wire.url)),
      summary: request.summary,
      access: endpoint?.access,
      beyond: endpoint?.beyond === true,
      cursor: endpoint?.cursor,
      base: request.base,
      credential: prepared.credential,
      tokenSource: prepared.tokenSource,
      repeatable: isRepeatable(request.method) && request.once !== true,
      repeated: response.repeated,
      refusedBefore: response.refusedBefore,
      redact: (text) => options.redactor.json(text) as string,
    };
    const { method, path } = failed;
    const { "x-request-id": requestId, date } = response.headers;
    options.observe?.({ method, path, status: response.status, requestId, date });
    const taken = response.status < 300 && !isWebPage(response);
    if (taken && !isChange(method) && request.base === "api") options.moved?.note(request.path, response.url);
    if (taken && isChange(request.method)) onMade(change);
    const isOpen = !taken && (response.status < 300 || leavesOpen(failed, response));
    if (isOpen && isChange(request.method)) options.onLost?.(change);
    if (taken && isStranger) options.warn?.(publicOnly(endpoint.summary));
    return { response, call: failed };
  };
}

/** Whether an answer is a document to be parsed, rather than bytes or nothing. */
function isDocument({ returns }: AnyEndpoint): boolean {
  return returns === "json" || (typeof returns === "object" && !("headers" in returns));
}

function rawRequest(request: RawRequest, baseUrl: string): BuiltRequest {
  const absolute = (request.linked ? /^[a-z][a-z\d+.-]*:/i : /^https?:/i).test(request.path);
  const below = request.path.replace(/^\/+/, "").replace(/^api\/v4\//, "");
  // For full URLs and `..` too, the token is only sent below the base URL.
  const place = request.linked ? linkedPath : ownPath;
  const path = place(absolute ? request.path : `${baseUrl}/api/v4/${below}`, baseUrl);
  return { method: request.method, base: "api", path, headers: {}, body: request.body, whole: "json" };
}

function rawOptions(request: RawRequest): CallOptions {
  return request.headers === undefined ? {} : { headers: request.headers };
}

function pathFrom(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/]+/i, "");
}
