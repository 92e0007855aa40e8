import type { Failure } from "../base/errors.ts";
import type { Endpoint, ListEndpoint, Method } from "./endpoint.ts";
import type { Fields, Row } from "./field.ts";
import type { BuiltBody } from "./request.ts";
import type { ByteStream } from "./transport/byte-stream.ts";
import type { Look, Probe } from "./transport/message.ts";

/** Maximum number of rows per request, which instances accept in almost every list. */
export const maxPageSize = 100;

/** The requested part of a list. */
export interface Window {
  /** Maximum number of rows; undefined for all. */
  limit: number | undefined;
  /** First page, from 1. */
  page?: number | undefined;
  /** Rows per request, up to `maxPageSize`, the default. */
  perPage?: number | undefined;
  /** Called, in place of a warning, if entries left the list while it was read: others may be missing. */
  onShorter?: (() => void) | undefined;
}

/** A list that streams: rows in order, pages prefetched. */
export interface Listing<T> extends AsyncIterable<T> {
  /** The same rows a page at a time, which is faster for a long list. */
  batches(): AsyncIterable<T[]>;
  /** After the last row: set if the limit truncated the list. */
  cut(): { shown: number; total: number | undefined; page?: number; nextPage?: number } | undefined;
}

/** A streaming body, with the server's headers. */
export interface Download {
  /** 200, or 206 for a requested range. */
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: ByteStream;
  discard(): Promise<void>;
}

/** A request of `forgectl api`, or one of the few without an endpoint. */
export interface RawRequest {
  method: Method;
  /** Path below `/api/v4`, with its query; or an absolute URL of the instance itself. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: BuiltBody;
  /** The path came from an answer: another origin is the instance's fault. */
  linked?: boolean;
}
/** Any answer, including failures. */
export interface RawResponse {
  status: number;
  /** The URL that answered, after redirects. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body: ByteStream;
  /** It is an error; or, to a change, a redirect or a web page. */
  failed: boolean;
  /** The error for this answer; reads the body. */
  failure(): Promise<Failure>;
}

export interface CallOptions {
  /** More request headers, such as `X-Service-Captcha-Response`. The vendor's prefix is written `X-Service`. */
  headers?: Readonly<Record<string, string>>;
  /** Authenticates with this instead of the current token. */
  authorization?: string;
  /** The caller reads the object that it changed, and compares it with what it sent. */
  unchecked?: true;
  /** The object before the change, if the caller has read it: tells a change that had no effect. */
  before?: object;
  /** Names of fields that the instance may store otherwise: the caller compares them itself. */
  mayIgnore?: readonly string[];
  /** The input contains a token (`job_token`): the current token is not sent. */
  signedIn?: "job";
  /** A GET that changes something with this input: a dry run does not send it. */
  changes?: boolean;
  /** See `WireRequest.afterWait`. */
  afterWait?: Look;
  /** See `WireRequest.onRepeated`. */
  onRepeated?: () => void;
}

/** A request as `--dry-run` shows it. Secrets are redacted. */
export interface PlannedRequest {
  method: string;
  url: string;
  /** The body: JSON as a value, a form as text. */
  body: unknown;
  /** The headers that are specific to the request. */
  headers?: Record<string, string>;
  /** The file to which the answer would be saved. */
  file?: string;
}

export interface DownloadOptions extends CallOptions {
  /** Offset of the first byte. */
  start?: number;
  /** The validator (`ETag` or date) of the bytes already received. */
  ifRange?: string;
}

/** Thrown in place of the answer to a change that `--dry-run` only records. */
export class DryRunStop extends Error {
  /** How the command would end in any case, once the recorded requests are shown. */
  readonly failure: Failure | undefined;

  constructor(failure?: Failure) {
    super();
    this.failure = failure;
  }
}

/** An answer, for a record of what was read. */
export interface ObservedAnswer {
  readonly method: string;
  /** Path and query, secrets redacted. */
  readonly path: string;
  readonly status: number;
  /** The instance's own ID of the request. */
  readonly requestId: string | undefined;
  /** The instance's time (RFC 9110: Date), as it is in the answer. */
  readonly date: string | undefined;
}

interface ForkOptions {
  /** Called for each answer, after the observer of the original. */
  observe?: (answer: ObservedAnswer) => void;
  /** See `WireRequest`; of every change. */
  afterWait?: Look;
}

/** The instance. With `--dry-run` reads are sent; a change is recorded in `planned` and throws DryRunStop. */
export interface Api {
  /** Sends one request and returns its typed answer. */
  call<I, O>(endpoint: Endpoint<I, O, Fields>, input: I, options?: CallOptions): Promise<O>;
  /** Walks a list; several pages are in flight at once, rows are in order. */
  list<I, S extends Fields>(endpoint: ListEndpoint<I, S>, input: I, window: Window): Listing<Row<S>>;
  /** Opens a streaming body, from `start` on if the validator still matches. */
  download<I>(
    endpoint: Endpoint<I, AsyncIterable<Uint8Array>, Fields>,
    input: I,
    options?: DownloadOptions,
  ): Promise<Download>;
  /** In a dry run, instead of a download that would be saved to `file`: records it and throws DryRunStop. */
  planDownload<I>(
    endpoint: Endpoint<I, AsyncIterable<Uint8Array>, Fields>,
    input: I,
    options: CallOptions & { file: string },
  ): Promise<never>;
  raw(request: RawRequest): Promise<RawResponse>;
  /** Opens a connection to the instance like requests do, and closes it without sending anything. */
  probe(): Promise<Probe>;
  /** The same instance over the same connections, with a separate record of changes. */
  fork(options?: ForkOptions): Api;
  /** The changes and downloads that a dry run recorded, in order. */
  readonly planned: readonly PlannedRequest[];
  /** The changes that the instance has accepted so far: method and path of each. */
  readonly made: readonly string[];
  /** Adds a change to them whose answer was lost, or was not the instance's: a check has shown that it was made. */
  noteMade(lost: Failure): void;
}
