import type { Failure } from "../base/errors.ts";
import type { Endpoint, ListEndpoint, Method } from "./endpoint.ts";
import type { Fields, Row } from "./field.ts";
import type { BuiltBody } from "./request.ts";
import type { Probe } from "./transport/message.ts";

/** Which part of a list is wanted. */
export interface Window {
  /** Most rows to give; undefined is all of them. */
  limit: number | undefined;
  /** First page, from 1; with it, the list is that page on. */
  page?: number | undefined;
  /** Rows asked for at once, 1 to 100. */
  perPage?: number | undefined;
}

/** A list on its way: rows in order, pages fetched ahead. */
export interface Listing<T> extends AsyncIterable<T> {
  /** The same rows as they arrive, a page at a time: a long list costs less this way. */
  batches(): AsyncIterable<T[]>;
  /** Once the rows are out: set when the limit cut the list short. */
  cut(): { shown: number; total: number | undefined; page?: number; nextPage?: number } | undefined;
}

/** A body on its way, with what the server said about it. */
export interface Download {
  /** 200, or 206 where a range was asked for and given. */
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: AsyncIterable<Uint8Array>;
  discard(): Promise<void>;
}

/** A request of `forgectl api` and the few that no endpoint describes. */
export interface RawRequest {
  method: Method;
  /** Path below `/api/v4`, with its query; or an absolute URL of the instance itself. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: BuiltBody;
  /** The path came from an answer: one that leads elsewhere is the instance's mistake. */
  linked?: boolean;
}
/** Any answer, failures included. */
export interface RawResponse {
  status: number;
  /** Where the answer came from, after redirects. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body: AsyncIterable<Uint8Array>;
  /** The answer as the error it stands for; reads the body. */
  failure(): Promise<Failure>;
}

export interface CallOptions {
  /** More request headers, such as `X-Service-Captcha-Response`. The vendor part is given as `X-Service`. */
  headers?: Readonly<Record<string, string>>;
  /** Signs in with this instead of the token in force. */
  authorization?: string;
  /** The input signs the request by itself (`job_token`): the token in force stays out of it. */
  signedIn?: "job";
}

/** A request as `--dry-run` shows it. Secrets are redacted. */
export interface PlannedRequest {
  method: string;
  url: string;
  /** What goes as JSON as it is, a form as text. */
  body: unknown;
  /** Those that not every request has. */
  headers?: Record<string, string>;
  /** Where the answer would be saved. */
  file?: string;
}

export interface DownloadOptions extends CallOptions {
  /** First byte wanted. */
  start?: number;
  /** The validator (`ETag` or date) of the bytes already here. */
  ifRange?: string;
}

/** Thrown in place of the answer to a change that `--dry-run` only notes down. */
export class DryRunStop extends Error {}

/** The instance. With `--dry-run` reads go through; a change is noted in `planned` and throws DryRunStop. */
export interface Api {
  /** Sends one request and gives its typed answer. */
  call<I, O>(endpoint: Endpoint<I, O, Fields>, input: I, options?: CallOptions): Promise<O>;
  /** Walks a list; several pages are in flight at once, rows come in order. */
  list<I, S extends Fields>(endpoint: ListEndpoint<I, S>, input: I, window: Window): Listing<Row<S>>;
  /** Opens a body that streams, from `start` on if the validator still holds. */
  download<I>(
    endpoint: Endpoint<I, AsyncIterable<Uint8Array>, Fields>,
    input: I,
    options?: DownloadOptions,
  ): Promise<Download>;
  /** In a dry run, instead of a download that would be saved to `file`: notes it down and throws DryRunStop. */
  planDownload<I>(
    endpoint: Endpoint<I, AsyncIterable<Uint8Array>, Fields>,
    input: I,
    options: CallOptions & { file: string },
  ): Promise<never>;
  raw(request: RawRequest): Promise<RawResponse>;
  /** Opens a connection to the instance as requests do, and closes it again: nothing is sent. */
  probe(): Promise<Probe>;
  /** The same instance over the same connections, with a record of changes of its own. */
  fork(): Api;
  /** The changes and downloads that a dry run noted down, in order. */
  readonly planned: readonly PlannedRequest[];
  /** The changes that the instance has taken so far: method and path of each. */
  readonly made: readonly string[];
}
