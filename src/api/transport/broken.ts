/** Where an exchange broke: it decides whether it may be repeated, and what is said about it. */
type Stage =
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

/** The proxy could not be reached, or would not open a way to the instance. */
export class ProxyFailure extends Error {
  readonly proxy: string;
  /** What it answered, where it did. */
  readonly status: number | undefined;

  constructor(proxy: string, cause?: unknown, status?: number) {
    super("the proxy failed", { cause });
    this.proxy = proxy;
    this.status = status;
  }
}
