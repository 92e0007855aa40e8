import type { Failure } from "../../base/errors.ts";
import type { Environment } from "../../host.ts";
import type { Redactor } from "../redact.ts";
import type { ByteStream } from "./byte-stream.ts";

/** Looks at what a change is about to change, and throws if it must not be made: the error is that of the change. */
export type Look = () => Promise<unknown>;

/** One HTTP request, ready to send: absolute URL, all headers, credentials included. */
export interface WireRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: WireBody;
  /** Not idempotent: it is not retried if the server may have executed it. */
  once?: boolean;
  /**
   * A success is read completely before it is returned, so that an incomplete body is retried like an answer that never
   * arrived; `json`: if it is JSON. The size is limited by `maxAnswerBytes`.
   */
  whole?: boolean | "json";
  /** The name of the address's setting, if not the base URL: "the registry URL". */
  addressName?: string;
  /** Header names whose values are credentials: redacted in traces, dropped on a redirect to another origin. */
  secretHeaders: readonly string[];
  /**
   * The path below which the instance is, such as `/forge`; by default all of the origin. Beside it may be the pages of
   * others: a redirect to them has no credentials.
   */
  root?: string;
  /**
   * Called right before a change is sent, if it had to wait for more than a second: since the instance limits requests
   * (429), also those of others here, or could not be reached. What the caller saw before is old by then. Not called
   * once an earlier attempt may have made the change, as its own effect would be taken for that of another.
   */
  afterWait?: Look | undefined;
  /** Called for each attempt whose answer was lost, if another one follows: it may still be made, also after that. */
  onRepeated?: (() => void) | undefined;
}

/** A body that can be sent again from its start, with its length known. */
export interface WireBody {
  /** Length in bytes. */
  size: number;
  /** Buffers may be reused: each chunk is sent before the next is requested. */
  stream(): AsyncIterable<Uint8Array>;
}

/** A body in one piece. */
export interface WholeBody {
  bytes(): Buffer;
  /** Releases its memory for other answers; neither it nor `body` may be read afterwards. */
  free(): void;
}

export interface WireResponse {
  status: number;
  /** Names in lower case; repeated headers joined with ", ". */
  headers: Record<string, string>;
  /** The URL that answered, after redirects. */
  url: string;
  /** The outcome of an earlier attempt is unknown: its answer was lost. */
  repeated: boolean;
  /** An earlier attempt was answered 5xx. */
  refusedBefore: boolean;
  /** The body, decoded. Reading it to its end or calling `discard` frees the connection. */
  body: ByteStream;
  /** The whole body, if it has been read completely and was not encoded. */
  whole?: WholeBody;
  discard(): Promise<void>;
}

export interface TransportOptions {
  /** Milliseconds to the first byte, and between bytes. */
  timeoutMs: number;
  /** Attempts after the first. */
  retries: number;
  /** Maximum decoded bytes of an answer that is read completely; default 64 MiB. */
  maxAnswerBytes?: number;
  /** Interactive: a refused connection or an unresolved name is retried only once. */
  watched?: boolean;
  /** Maximum open connections per origin. */
  connections: number;
  userAgent: string;
  proxy?: string;
  /** Environment to read `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY` from (either case). */
  env: Environment;
  /** PEM texts. */
  ca?: string;
  cert?: string;
  key?: string;
  signal: AbortSignal;
  now(): number;
  /** Milliseconds since an arbitrary moment: unlike `now`, it does not change with the clock. */
  elapsedMs(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Calls `act` after that many milliseconds, unless the returned function cancels it; does not keep the process alive.
   */
  after(ms: number, act: () => void): () => void;
  random(): number;
  /** One line per step, secrets redacted; set only with `--debug`. */
  trace?: (line: string) => void;
  /** Called for waits above a second. */
  announce?: (text: string) => void;
  /** Shared with other code that shows requests; learns every credential that is sent. */
  redactor?: Redactor;
}

/** The state of a connection opened like those of requests. */
export interface Probe {
  /** Address and port of the peer, or of the proxy; undefined if no connection was established. */
  peer: string | undefined;
  /** Milliseconds until then, including name resolution. */
  openedMs: number;
  /** The result of the TLS handshake; undefined for plain http, or without a connection. */
  certificate: Certificate | undefined;
  /** Why requests fail on it: the connection itself if `peer` is undefined, otherwise TLS. */
  failure: Failure | undefined;
}

/** A server's certificate, trusted or not. */
export interface Certificate {
  /** Subject and issuer. */
  subject: string;
  issuer: string;
  until: Date;
  /** `TLSv1.3`. */
  protocol: string;
}

export interface Transport {
  /** Opens a connection to an address, as requests to it do, and closes it again: nothing is sent. */
  probe(url: string): Promise<Probe>;
  /**
   * Rejects with a Failure: `network` (exit 11) once retries are spent, `interrupted`, `refused` for a redirect that is
   * not followed. Any status is an answer, including the last 429 or 503 of several attempts.
   */
  send(request: WireRequest): Promise<WireResponse>;
  /** Closes all connections at once, and aborts everything in progress. */
  close(): Promise<void>;
}
