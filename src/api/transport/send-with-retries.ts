import { isGatewayError, mayHaveBeenMade } from "../outcome.ts";
import { attempt, type Hop, type Reply } from "./attempt.ts";
import { BodyBuffer } from "./body-buffer.ts";
import { Broken } from "./broken-exchange.ts";
import { interrupted, isPermanent, isUnreachable, networkFailure, type Subject, tooLarge } from "./network-failure.ts";
import { announcement, backoff, isRetryable, statusWords, waitAfter } from "./retry.ts";
import type { Session } from "./session.ts";

interface Pause {
  why: string;
  ms: number;
  /** The instance requested the wait, so all requests to it are delayed. */
  asked?: boolean;
}

/** Sends a request, with retries where they are safe and useful. The last attempt's answer is the result. */
export async function sendWithRetries(session: Session, hop: Hop): Promise<Reply> {
  const attempts = session.options.retries + 1;
  const subject = subjectOf(session, hop);
  let lost = false;
  let refusedBefore = false;
  let hasWaited = false;
  for (let made = 1; ; made++) {
    await untilFree(session, lost || refusedBefore ? { ...hop, afterWait: undefined } : hop, hasWaited);
    if (session.life.aborted) throw interrupted(subject, lost);
    const outcome = await attemptWhole(session, hop).catch((error: unknown) => new Caught(error));
    const pause = made < attempts ? pauseAfter(session, hop, outcome, made) : undefined;
    if (outcome instanceof Caught) {
      if (session.life.aborted) throw interrupted(subject, lost || mayHaveBeenMade(outcome.error));
      if (!(outcome.error instanceof Broken)) throw outcome.error;
      // A body that breaks here is that of a success: other bodies are not read.
      const status = outcome.error.stage === "body" ? { status: 200 } : {};
      if (!pause) throw networkFailure(outcome.error, { ...subjectOf(session, hop), lost, ...status }, made);
    } else {
      if (!pause) return { ...outcome, repeated: lost, refusedBefore };
      await outcome.exchange.discard();
    }
    if (isLost(outcome)) hop.onRepeated?.();
    lost ||= isLost(outcome);
    refusedBefore ||= !(outcome instanceof Caught) && outcome.status >= 500;
    const waiting = wait(session, pause, { subject: { ...subject, lost }, next: made + 1, attempts });
    if (pause.asked) share(session, hop, waiting);
    await waiting;
    hasWaited = pause.ms > noticeableMs;
  }
}

/** A shorter wait is none: a look before a change takes as long. */
const noticeableMs = 1000;
/** Looks before one sending: if each is followed by another wait, the last one is not waited for. */
const maxLooks = 3;

/** Waits until requests may be sent. After a wait, the caller looks again at what it is about to change. */
async function untilFree(session: Session, hop: Hop, hasWaited: boolean): Promise<void> {
  let isOld = hasWaited;
  for (let looks = 0; looks < maxLooks; looks++) {
    const others = await waitsOfOthers(session, hop);
    isOld ||= others > noticeableMs;
    if (!isOld || hop.afterWait === undefined || session.life.aborted) return;
    session.options.trace?.("    looking again, after the wait");
    await hop.afterWait();
    isOld = false;
  }
}

/** Sends it once, and reads the answer completely if requested. */
async function attemptWhole(session: Session, hop: Hop): Promise<Reply> {
  const reply = await attempt(session, hop);
  if (!isToBeWhole(hop, reply)) return reply;
  const limit = limitOf(session);
  const whole = new BodyBuffer(session.bufferPool, Number(reply.headers["content-length"]));
  await reply.exchange.gather((chunk) => {
    if (whole.length + chunk.length > limit) throw tooLarge(subjectOf(session, hop), limit);
    whole.add(chunk);
  });
  return { ...reply, whole };
}

function isToBeWhole({ method, whole }: Hop, { status, headers }: Reply): boolean {
  if (whole === false || method === "HEAD" || status < 200 || status > 299 || status === 204) return false;
  return whole === true || /\bjson\b/.test(headers["content-type"] ?? "");
}

const defaultLimit = 64 * 1024 * 1024;

/** Maximum bytes of an answer that is read completely. */
export function limitOf({ options }: Session): number {
  return options.maxAnswerBytes ?? defaultLimit;
}

/** Whether the request may have been executed without an answer from the instance itself. */
function isLost(outcome: Reply | Caught): boolean {
  if (!(outcome instanceof Caught)) return isGatewayError(outcome.status, outcome.headers);
  return outcome.error instanceof Broken && outcome.error.stage !== "connect";
}

class Caught {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

/** The details of a request for errors, secrets redacted. */
export function subjectOf(
  { options, redactor, answered }: Session,
  hop: Pick<Hop, "method" | "url" | "addressName" | "redirectedBy">,
): Subject {
  return {
    method: hop.method,
    host: hop.url.host,
    path: redactor.url(hop.url.pathname + hop.url.search),
    timeoutMs: options.timeoutMs,
    unreached: !answered.has(hop.url.origin),
    addressName: hop.addressName,
    redirectedBy: hop.redirectedBy,
  };
}

/** On a terminal a wrong address is reported quickly; in a script the instance may be starting up. */
function stopsEarly({ options }: Session, error: Broken, made: number): boolean {
  return options.watched === true && made >= 2 && isUnreachable(error);
}

function pauseAfter(session: Session, hop: Hop, outcome: Reply | Caught, made: number): Pause | undefined {
  const { options } = session;
  if (!(outcome instanceof Caught)) {
    const { status, headers } = outcome;
    if (!isRetryable(hop.repeatable, status, headers)) return undefined;
    const ms = waitAfter(status, headers, made, options);
    const asked = status === 429 || headers["retry-after"] !== undefined;
    return ms === undefined ? undefined : { why: statusWords(status), ms, asked };
  }
  const { error } = outcome;
  if (!(error instanceof Broken) || isPermanent(error) || stopsEarly(session, error, made)) return undefined;
  const unsent = error.stage === "connect";
  if (!unsent && (error.timedOut || !hop.repeatable)) return undefined;
  const why = unsent ? `no connection to ${hop.url.host}` : `the connection to ${hop.url.host} broke`;
  return { why, ms: backoff(made, options) };
}

/** Delays all requests to an origin by the wait that the server requested. */
function share({ waits }: Session, { url }: Hop, waiting: Promise<void>): void {
  const all = Promise.allSettled([waits.get(url.origin), waiting]).finally(() => {
    if (waits.get(url.origin) === all) waits.delete(url.origin);
  });
  waits.set(url.origin, all);
}

/** Returns how long that took, in milliseconds. */
async function waitsOfOthers({ waits, options }: Session, { url }: Hop): Promise<number> {
  if (!waits.has(url.origin)) return 0;
  const since = options.elapsedMs();
  // Another request may meanwhile have received a longer wait.
  while (waits.has(url.origin)) await waits.get(url.origin);
  return options.elapsedMs() - since;
}

/** Waits, with a notice if it is long; the end of the session aborts the wait. */
async function wait(
  session: Session,
  pause: Pause,
  { subject, next, attempts }: { subject: Subject; next: number; attempts: number },
): Promise<void> {
  const { options, life } = session;
  const text = announcement(pause.why, pause.ms, next, attempts);
  options.trace?.(`    ${text}`);
  if (pause.ms > 1000) options.announce?.(text);
  try {
    await options.sleep(pause.ms, life);
  } catch (error) {
    if (!life.aborted) throw error;
  }
  if (life.aborted) throw interrupted(subject, subject.lost);
}
