import type { Failure } from "../../base/errors.ts";
import type { Environment } from "../../host.ts";
import type { Redactor } from "../redact.ts";

/** One HTTP request, ready to send: absolute URL, all headers, credentials included. */
export interface WireRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: WireBody;
  /** Sending it twice does more than sending it once: it is not repeated where the server may have acted. */
  once?: boolean;
  /**
   * A success is read to its end before it is given, so that one whose body breaks off is repeated like one that never
   * came; `json`: where it is JSON. It is bounded by `maxAnswerBytes`.
   */
  whole?: boolean | "json";
  /** What gives the address, where that is not the base URL: "the registry URL". */
  addressName?: string;
  /** Header names whose values are credentials: redacted in traces, dropped on a redirect to another origin. */
  secretHeaders: readonly string[];
}

/** A body that can be sent again from its start, with its length known. */
export interface WireBody {
  /** Length in bytes. */
  size: number;
  /** Chunks may be lent: each is on the wire before the next is asked for. */
  stream(): AsyncIterable<Uint8Array>;
}

/** A body as one piece. */
export interface WholeBody {
  bytes(): Buffer;
  /** Leaves its memory to other answers: neither it nor `body` is read any more. */
  free(): void;
}

export interface WireResponse {
  status: number;
  /** Names in lower case; repeated headers joined with ", ". */
  headers: Record<string, string>;
  /** Where the answer came from, after redirects. */
  url: string;
  /** What an attempt before this one did is not known: its answer got lost. */
  repeated: boolean;
  /** The body, decoded. Reading it to its end or calling `discard` frees the connection. */
  body: AsyncIterable<Uint8Array>;
  /** All of the body, where it was read to its end already and came without an encoding. */
  whole?: WholeBody;
  discard(): Promise<void>;
}

export interface TransportOptions {
  /** Milliseconds to the first byte, and between bytes. */
  timeoutMs: number;
  /** Attempts after the first. */
  retries: number;
  /** The most that an answer read whole may have, decoded; 64 MiB unless given. */
  maxAnswerBytes?: number;
  /** Somebody waits at a terminal: what refuses the connection, or has no address, is tried once more and no oftener. */
  watched?: boolean;
  /** Connections kept open at once for one origin. */
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
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `act` in so many milliseconds, unless what it gives is called before; by itself it keeps no process alive. */
  after(ms: number, act: () => void): () => void;
  random(): number;
  /** One line a step, secrets redacted; only set with `--debug`. */
  trace?: (line: string) => void;
  /** Told of waits above a second. */
  announce?: (text: string) => void;
  /** Shared with whatever else shows requests; learns every credential that is sent. */
  redactor?: Redactor;
}

/** A connection as requests open it, looked at. */
export interface Probe {
  /** Address and port at the other end, which is the proxy's where there is one; undefined where none came about. */
  peer: string | undefined;
  /** Milliseconds until then, look-up of the name included. */
  openedMs: number;
  /** What became of TLS on it; undefined for plain http, and where no connection came about. */
  certificate: Certificate | undefined;
  /** Why requests fail on it: without `peer` the connection itself, with it TLS. */
  failure: Failure | undefined;
}

/** A server's certificate, as it shows it: trusted or not. */
export interface Certificate {
  /** Who it is for, and who signed it. */
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
   * not followed. Every status that a server gives is an answer; so is the last 429 or 503 of several.
   */
  send(request: WireRequest): Promise<WireResponse>;
  /** Ends all connections at once, and with them whatever is under way. */
  close(): Promise<void>;
}
