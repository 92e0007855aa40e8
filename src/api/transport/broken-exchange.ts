import { Failure } from "../../base/errors.ts";

/** The stage at which an exchange broke: it determines whether a retry is safe, and the error's text. */
type Stage =
  /** No connection was established: nothing was sent. */
  | "connect"
  /** The request may have been received, but no answer arrived. */
  | "answer"
  /** Part of the body arrived. */
  | "body";

/** A network failure, before it is turned into a message. */
export class Broken extends Error {
  readonly stage: Stage;
  /** Set if `--timeout` expired. */
  readonly timedOut: boolean;
  /** Bytes of the body received. */
  readonly received: number;

  constructor(stage: Stage, details: { cause?: unknown; timedOut?: boolean; received?: number } = {}) {
    super(`broken at ${stage}`, { cause: details.cause });
    this.stage = stage;
    this.timedOut = details.timedOut ?? false;
    this.received = details.received ?? 0;
  }
}

/** The proxy could not be reached, or refused a tunnel to the instance. */
export class ProxyFailure extends Error {
  readonly proxy: string;
  /** Its status, if it answered. */
  readonly status: number | undefined;

  constructor(proxy: string, cause?: unknown, status?: number) {
    super("the proxy failed", { cause });
    this.proxy = proxy;
    this.status = status;
  }
}

/** The body of a request had another length than announced. */
export function changedMeanwhile(sent: number, announced: number): Failure {
  const amount = sent > announced ? "more than" : `${sent} of`;
  return new Failure("integrity", `the upload changed while it was sent: ${amount} the announced ${announced} bytes`);
}
