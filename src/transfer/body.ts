import { createHash } from "node:crypto";
import { isWebPage } from "../api/answers.ts";
import type { CallOptions, Download, DownloadOptions } from "../api/api.ts";
import type { Endpoint } from "../api/endpoint.ts";
import { type Chunks, lengthOf, restAfter } from "../base/chunks.ts";
import { Failure } from "../base/errors.ts";
import { byteSize } from "../base/wording.ts";
import type { Context } from "../context.ts";
import { fits, lengthsOf, startOf, validatorOf } from "./range.ts";

/** The source of streamed content. */
export interface Source {
  /** Identifies this content: a hash of address and parameters, without secret ones. */
  identity: string;
  open(options?: Pick<DownloadOptions, "start" | "ifRange">): Promise<Download>;
  /** Called instead of `open` in a dry run: records the request and its target, and throws DryRunStop. */
  plan(file: string): Promise<never>;
}

/** An endpoint and its input as a source. */
export function sourceOf<I>(
  context: Context,
  endpoint: Endpoint<I, AsyncIterable<Uint8Array>>,
  input: I,
  options: Pick<CallOptions, "signedIn"> = {},
): Source {
  const values = Object.entries(input as Record<string, unknown>).filter(
    ([name, value]) => value !== undefined && !endpoint.params[name]?.secret,
  );
  const text = JSON.stringify([context.config.baseUrl?.value, endpoint.route, values.sort()]);
  return {
    identity: createHash("sha256").update(text).digest("hex"),
    open: async (range) => ofContent(await context.api.download(endpoint, input, { ...options, ...range })),
    plan: (file) => context.api.planDownload(endpoint, input, { ...options, file }),
  };
}

const pageHint =
  "connect to the instance directly: a proxy in front of it may ask for a sign-in; if the page is the file, without " +
  "its name in the answer, forgectl api prints it";

/**
 * The content. Refuses what is none: a job that was accepted (202), nothing (204, 205), or a web page without a file
 * name. The instance names each file that is a web page (`Content-Disposition`); a sign-in page has no name.
 */
async function ofContent(answer: Download): Promise<Download> {
  const { status, headers } = answer;
  const isPage = isWebPage(answer) && headers["content-disposition"] === undefined;
  if (!isPage && status !== 202 && status !== 204 && status !== 205) return answer;
  await answer.discard();
  throw new Failure("integrity", `the server answered with ${isPage ? "a web page" : status} in place of the file`, {
    code: "unexpected_answer",
    status,
    ...(isPage && { hint: pageHint }),
  });
}

/** The bytes already received, and the server's validator for them. */
export interface ResumePoint {
  size: number;
  validator: string;
}

export interface Body {
  headers: Readonly<Record<string, string>>;
  /** Offset of the first byte: 0, or the resume point if the server still has the same content. */
  start: number;
  /** Size of the whole content in bytes, if the server reports it. */
  total: number | undefined;
  /** The server's validator (ETag or date); undefined if the download cannot be resumed. */
  validator: string | undefined;
  /** The bytes, in batches of chunks. A broken connection is resumed at the same offset, up to `--retries` times. */
  batches(): AsyncGenerator<Chunks>;
  /** Discards a content that will not be read. */
  discard(): Promise<void>;
}

/** A connection that delivered this much resets the count of retries. */
const progressBytes = 1024 * 1024;
const firstPauseMs = 500;
const maxPauseMs = 30_000;

/** Opens a content, resuming an earlier run if the server still has the same content. */
export async function openBody(context: Context, source: Source, point?: ResumePoint): Promise<Body> {
  const { first, start } = await open(source, point);
  const total = totalOf(first, start);
  const named = validatorOf(first.headers) ?? (start > 0 ? point?.validator : undefined);
  const validator = total === undefined ? undefined : named;
  return {
    headers: first.headers,
    start,
    total,
    validator,
    batches: () => steady(context, { source, first, start, total, validator }),
    discard: () => first.discard(),
  };
}

interface Opened {
  first: Download;
  start: number;
}

/** Checks `Content-Range` before an answer is appended; if it does not match, the whole content is requested again. */
async function open(source: Source, point?: ResumePoint): Promise<Opened> {
  if (point === undefined) return { first: await openWhole(source), start: 0 };
  const answer = await openRange(source, point);
  if (answer !== undefined && fits(answer, point)) return { first: answer, start: point.size };
  if (answer !== undefined && beginsAtZero(answer)) return { first: answer, start: 0 };
  await answer?.discard();
  return { first: await openWhole(source), start: 0 };
}

/** Undefined for 416: the server has no bytes past that offset. */
async function openRange(source: Source, point: ResumePoint): Promise<Download | undefined> {
  try {
    return await source.open({ start: point.size, ifRange: point.validator });
  } catch (error) {
    if (error instanceof Failure && error.details.status === 416) return undefined;
    throw error;
  }
}

async function openWhole(source: Source): Promise<Download> {
  const answer = await source.open();
  // Without the size of the whole content, a part would be taken for all of it.
  if (answer.status !== 206 || (beginsAtZero(answer) && lengthsOf(answer).total !== undefined)) return answer;
  await answer.discard();
  throw new Failure("integrity", "the server sent a part of the content that was not requested", {
    code: "unexpected_answer",
    reason: `Content-Range: ${answer.headers["content-range"] ?? "(none)"}`,
    status: answer.status,
  });
}

function beginsAtZero(answer: Download): boolean {
  return answer.status !== 206 || startOf(answer) === 0;
}

interface Running {
  source: Source;
  first: Download;
  start: number;
  total: number | undefined;
  validator: string | undefined;
}

async function* steady(context: Context, running: Running): AsyncGenerator<Chunks> {
  const { source, total, validator } = running;
  let batches = running.first.body.batches();
  let at = running.start;
  for (let breaks = 0; ; ) {
    const from = at;
    try {
      for await (const batch of batches) {
        at += lengthOf(batch);
        yield batch;
      }
      if (total === undefined || at === total) return;
      throw incomplete(at, total);
    } catch (error) {
      if (!isBreak(error)) throw error;
      breaks = at - from >= progressBytes ? 1 : breaks + 1;
      if (validator === undefined || breaks > context.config.retries) throw withCounts(error, at, total);
      context.notice(`the connection broke after ${byteSize(at)}; resuming from there`);
      await context.sleep(Math.min(maxPauseMs, firstPauseMs * 2 ** (breaks - 1)));
      batches = await resume(source, { size: at, validator }, total);
    }
  }
}

function isBreak(error: unknown): error is Failure {
  return error instanceof Failure && error.exit === "network" && error.code !== "damaged_body";
}

/** The rest of a content after a broken connection; if a server sends all of it, the beginning is skipped. */
async function resume(source: Source, point: ResumePoint, total: number | undefined) {
  let answer = await openRange(source, point);
  if (answer === undefined) throw incomplete(point.size, total, "the server has no bytes past that offset");
  if (fits(answer, point)) return answer.body.batches();
  if (!beginsAtZero(answer)) {
    await answer.discard();
    answer = await openWhole(source);
  }
  if (validatorOf(answer.headers) === point.validator) return after(answer.body.batches(), point.size);
  await answer.discard();
  throw new Failure("conflict", "the content changed on the server during the download", {
    code: "changed_meanwhile",
    hint: "run the command again",
    retryable: true,
  });
}

async function* after(batches: AsyncIterable<Chunks>, size: number): AsyncGenerator<Chunks> {
  let skip = size;
  for await (const batch of batches) {
    yield skip > 0 ? restAfter(batch, skip) : batch;
    skip = Math.max(0, skip - lengthOf(batch));
  }
}

function incomplete(received: number, total: number | undefined, reason?: string): Failure {
  return new Failure("integrity", `incomplete: received ${received} of the ${total ?? "?"} bytes announced`, {
    code: "incomplete",
    ...(reason !== undefined && { reason }),
    retryable: true,
  });
}

/** An announced length that is too long ends as a broken connection; the counts make that visible. */
function withCounts(error: Failure, received: number, total: number | undefined): Failure {
  if (total === undefined) return error;
  const counts = `received ${received} of the ${total} bytes announced`;
  const { reason } = error.details;
  return error.with({
    reason: reason === undefined ? counts : `${reason}; ${counts}`,
  });
}

/** The total size from `Content-Range`; a server may send less of a range than was requested. */
function totalOf(answer: Download, start: number): number | undefined {
  const { total, length } = lengthsOf(answer);
  return total ?? (length === undefined ? undefined : start + length);
}
