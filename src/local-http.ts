/** HTTP from and to this machine as interfaces, implemented in `node/http`. */

/** Header names as sent, in order; a name may be repeated. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** The head of a request to this machine. */
export interface RequestHead {
  readonly method: string;
  /** Path and query as sent, or a full URL. */
  readonly target: string;
  readonly headers: HeaderPairs;
}
export interface ReceivedRequest extends RequestHead {
  readonly body: Uint8Array;
}
export interface HttpAnswer {
  readonly status: number;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
}

/** Answers HTTP requests to this machine. */
export interface Service {
  /** Decides by the head alone: an answer refuses the request, whose body is then discarded. */
  admit(head: RequestHead): HttpAnswer | undefined;
  serve(request: ReceivedRequest): Promise<HttpAnswer>;
  /** Called for an admitted request that did not arrive completely: too large, too slow, or aborted. */
  lost(head: RequestHead, status: number, reason: string): void;
}

export interface ServerLimits {
  /** Maximum bytes of one body. */
  readonly bodyBytes: number;
  /** Maximum bytes of all bodies in memory. */
  readonly heldBytes: number;
  /** Maximum concurrent connections; for a further one, the oldest is closed whose request is not admitted. */
  readonly connections: number;
  /** Milliseconds for the head of a request to arrive. */
  readonly headMs: number;
  /** Milliseconds for a request to arrive completely. */
  readonly arrivalMs: number;
  /** Milliseconds without a byte in either direction after which a connection is closed. */
  readonly idleMs: number;
}

export interface Listening {
  readonly port: number;
  /** Stops accepting requests, waits briefly for pending answers, and closes all connections. */
  close(): Promise<void>;
}

/** Plain HTTP from and to this machine, apart from the API: no token, no retries, no redirects. */
export interface Http {
  /**
   * Serves requests on 127.0.0.1. Port 0 picks a free port. A port that is not available rejects with the system's
   * error (`EADDRINUSE`, `EACCES`).
   */
  listen(port: number, limits: ServerLimits, service: Service): Promise<Listening>;
  /**
   * Sends a request to an address and returns the answer unchanged. Rejects with a readable reason if none arrived in
   * time, or if it is longer than `maxBytes`.
   */
  relay(
    url: URL,
    request: Omit<ReceivedRequest, "target">,
    limits: { timeoutMs: number; maxBytes: number; signal: AbortSignal },
  ): Promise<HttpAnswer>;
}
