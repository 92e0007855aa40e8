import type { RawResponse } from "../../api/api.ts";
import { numberIn } from "../../base/answered-value.ts";
import type { Failure } from "../../base/errors.ts";
import { readObject } from "../../base/read-value.ts";
import { commandLine } from "../../base/shell-words.ts";
import { type Finding, failed, warn } from "./checks.ts";
import type { Subject } from "./subject.ts";

/** The instance's first answer, which several checks read. */
export interface Answer {
  /** Below `/api/v4`. */
  path: string;
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The body of a 2xx; empty otherwise. */
  body: Readonly<Record<string, unknown>>;
  failure: Failure | undefined;
  /** The address that answered, without `/api/v4` and what follows, if it is not the base URL. */
  movedTo: string | undefined;
  /** Milliseconds from the request to the head of the answer, and this machine's time in the middle. */
  tookMs: number;
  askedAt: number;
}

/** Maximum bytes of an answer that are read. */
const maxBytes = 256 * 1024;

/**
 * Requests the user of the token, or the job of a job token. Without a token, the instance answers that one is
 * required.
 */
export async function askInstance({ api, config, context, credential }: Subject): Promise<Answer> {
  const path = credential?.kind === "job" ? "job" : "user";
  const askedAt = context.now().getTime();
  const began = context.elapsedMs();
  const response = await api.raw({ method: "GET", path });
  const tookMs = context.elapsedMs() - began;
  const isSuccess = response.status < 300;
  const body = isSuccess ? await jsonOf(response) : {};
  return {
    path: `/api/v4/${path}`,
    status: response.status,
    headers: response.headers,
    body: body ?? {},
    failure: isSuccess ? undefined : await response.failure(),
    movedTo: movedTo(response.url, config.baseUrl?.value ?? "", path),
    tookMs,
    askedAt: askedAt + tookMs / 2,
  };
}

/** Whether the platform's API answered; whether it accepted the token is another check. */
export function judgeAnswer(answer: Answer, { config }: Subject): Finding | undefined {
  const { status, headers, body, failure, movedTo: moved } = answer;
  const type = headers["content-type"] ?? "";
  const isApiAnswer = /\bjson\b/.test(type) && (status >= 300 || numberIn(body.id) !== undefined);
  if (moved !== undefined)
    return judgeMove(config.baseUrl?.value ?? "", moved, { type, works: isApiAnswer && status < 300 });
  if (isApiAnswer && (status < 300 || status === 401 || status === 403)) return undefined;
  const hint =
    status >= 500
      ? "the instance, or a proxy in front of it, is not available: try again later"
      : "check that the base URL is the instance's address, without the path of a page on it";
  // Older releases do not have this request.
  if (isApiAnswer && status === 404 && answer.path.endsWith("/job")) return undefined;
  if (failure !== undefined && (isApiAnswer || status >= 400)) return failed(failure, hint);
  const what = /\bhtml\b/.test(type) ? "with a web page" : "with something else";
  return { result: "fail", exit: "refused", detail: `the address answers ${what}, not with the platform's API`, hint };
}

/** A token is not sent to another origin, and a change is never redirected. */
function judgeMove(from: string, to: string, { type, works }: { type: string; works: boolean }): Finding {
  if (works) return warn(`${from} redirects to ${to}: changes are not redirected`, `set ${to} as the base URL`);
  const isPage = /\bhtml\b/.test(type);
  return {
    result: "fail",
    exit: "refused",
    detail: `${from} redirects to ${to}${isPage ? ", a web page" : ""}: a token is not sent to another origin`,
    hint: isPage
      ? "check the base URL; a sign-in page in front of the instance must let requests to /api/v4 pass"
      : `set ${to} as the base URL, if that is the instance: forgectl ${commandLine(["auth", "login", "--base-url", to])}`,
  };
}

function movedTo(url: string, baseUrl: string, path: string): string | undefined {
  if (url === `${baseUrl}/api/v4/${path}`) return undefined;
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(new RegExp(`/api/v4/${path}/?$`), "");
}

async function jsonOf({ body }: RawResponse): Promise<Record<string, unknown> | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) break;
  }
  return readObject(Buffer.concat(chunks).toString("utf8"));
}
