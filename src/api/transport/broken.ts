/** Where an exchange broke: it decides whether it may be repeated, and what is said about it. */
export type Stage =
  /** No connection came about: nothing can have been sent. */
  | "connect"
  /** The request may have been read, no answer came. */
  | "answer"
  /** Part of the body came. */
  | "body";

/** A failure of the network, before it is put into words. */
export class Broken extends Error {
  readonly stage: Stage;
  /** Set where nothing came for as long as `--timeout` allows. */
  readonly timedOut: boolean;
  /** Bytes of the body that came. */
  readonly received: number;

  constructor(stage: Stage, details: { cause?: unknown; timedOut?: boolean; received?: number } = {}) {
    super(`broken at ${stage}`, { cause: details.cause });
    this.stage = stage;
    this.timedOut = details.timedOut ?? false;
    this.received = details.received ?? 0;
  }
}

/** The proxy would not open a way to the instance. */
export class ProxyRefusal extends Error {
  readonly proxy: string;
  readonly status: number;

  constructor(proxy: string, status: number) {
    super(`the proxy answered ${status}`);
    this.proxy = proxy;
    this.status = status;
  }
}
