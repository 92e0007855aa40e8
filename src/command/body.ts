import { createHash } from "node:crypto";
import type { Endpoint } from "../api/endpoint.ts";
import type { CallOptions, Download, DownloadOptions } from "../api/types.ts";
import type { Context } from "../context.ts";
import { Failure } from "../errors.ts";
import { byteSize } from "../wording.ts";

/** Where a streamed content comes from. */
export interface Source {
  /** What tells this content from all others: address and parameters, without the secret ones, as a hash. */
  identity: string;
  open(options?: Pick<DownloadOptions, "start" | "ifRange">): Promise<Download>;
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
    open: (range) => context.api.download(endpoint, input, { ...options, ...range }),
  };
}

/** Bytes that are here already, and what the server called them by. */
export interface Begun {
  size: number;
  validator: string;
}

export interface Body {
  headers: Readonly<Record<string, string>>;
  /** The first byte that comes: 0, or where the begun part ends if the server still has the same content. */
  start: number;
  /** Bytes of the whole content, where the server tells. */
  total: number | undefined;
  /** What the server calls this very content by; undefined where a broken body cannot be gone on with. */
  validator: string | undefined;
  /** The bytes. A connection that breaks is opened anew where it broke, as often as `--retries` says. */
  chunks(): AsyncGenerator<Uint8Array>;
  /** Lets go of a content that is not going to be read. */
  discard(): Promise<void>;
}

/** So much more makes a connection count as one that worked. */
const progressBytes = 1024 * 1024;
const firstPauseMs = 500;
const longestPauseMs = 30_000;

/** Opens a content, from where an earlier run left off if that still holds. */
export async function openBody(context: Context, source: Source, begun?: Begun): Promise<Body> {
  const first = await open(source, begun);
  const start = first.status === 206 ? (begun?.size ?? 0) : 0;
  const total = totalOf(first, start);
  const validator = total === undefined ? undefined : validatorOf(first.headers);
  return {
    headers: first.headers,
    start,
    total,
    validator,
    chunks: () => steady(context, { source, first, start, total, validator }),
    discard: () => first.discard(),
  };
}

async function open(source: Source, begun?: Begun): Promise<Download> {
  if (begun === undefined) return source.open();
  try {
    const answer = await source.open({ start: begun.size, ifRange: begun.validator });
    if (answer.status !== 206 || goesOn(answer, begun)) return answer;
    await answer.discard();
  } catch (error) {
    // 416: there is nothing past that byte.
    if (!(error instanceof Failure) || error.details.status !== 416) throw error;
  }
  return source.open();
}

interface Running {
  source: Source;
  first: Download;
  start: number;
  total: number | undefined;
  validator: string | undefined;
}

async function* steady(context: Context, running: Running): AsyncGenerator<Uint8Array> {
  const { source, total, validator } = running;
  let { body } = running.first;
  let at = running.start;
  for (let breaks = 0; ; ) {
    const from = at;
    try {
      for await (const chunk of body) {
        at += chunk.length;
        yield chunk;
      }
      if (total === undefined || at === total) return;
      throw new Failure("integrity", `the content is not whole: ${at} bytes came, and not the announced ${total}`);
    } catch (error) {
      breaks = at - from >= progressBytes ? 1 : breaks + 1;
      if (validator === undefined || !isBreak(error) || breaks > context.config.retries) throw error;
      context.notice(`the connection broke after ${byteSize(at)}; going on from there`);
      await context.sleep(Math.min(longestPauseMs, firstPauseMs * 2 ** (breaks - 1)));
      body = await goOn(source, { size: at, validator });
    }
  }
}

async function goOn(source: Source, begun: Begun): Promise<AsyncIterable<Uint8Array>> {
  const answer = await source.open({ start: begun.size, ifRange: begun.validator });
  if (answer.status === 206 && goesOn(answer, begun)) return answer.body;
  await answer.discard();
  throw new Failure("conflict", "the content changed on the server while it was on its way", {
    code: "changed_meanwhile",
    hint: "run the command again",
    retryable: true,
  });
}

function isBreak(error: unknown): boolean {
  return error instanceof Failure && error.exit === "network" && error.code !== "damaged_body";
}

/** Whether a part begins where it should and is of the same content: some servers do not know `If-Range`. */
function goesOn(answer: Download, { size, validator }: Begun): boolean {
  const { etag, "last-modified": modified } = answer.headers;
  const named = validator.startsWith('"') ? etag : modified;
  return startOf(answer) === size && (named === undefined || named === validator);
}

/** A part says of how much it is one; a server may send less of it than was asked for, or a part unasked. */
function totalOf(answer: Download, start: number): number | undefined {
  const [, total] = /^bytes \d+-\d+\/(\d+)$/i.exec(answer.headers["content-range"] ?? "") ?? [];
  if (answer.status === 206 && total !== undefined) return Number(total);
  const length = lengthOf(answer);
  return length === undefined ? undefined : start + length;
}

function lengthOf({ headers }: Download): number | undefined {
  const text = headers["content-length"] ?? "";
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

function startOf({ headers }: Download): number | undefined {
  const [, start] = /^bytes (\d+)-\d+\/(?:\d+|\*)$/i.exec(headers["content-range"] ?? "") ?? [];
  return start === undefined ? undefined : Number(start);
}

/** A validator that `If-Range` may carry: a strong ETag, or a date old enough to be one (RFC 9110: Strong comparison). */
function validatorOf(headers: Readonly<Record<string, string>>): string | undefined {
  if (headers["accept-ranges"] === "none") return undefined;
  const { etag, date, "last-modified": modified } = headers;
  if (etag !== undefined) return etag.startsWith('"') ? etag : undefined;
  if (modified === undefined || date === undefined) return undefined;
  return Date.parse(date) - Date.parse(modified) >= 60_000 ? modified : undefined;
}
