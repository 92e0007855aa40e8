import { join } from "node:path";
import { Failure, reasonIn } from "../../../base/errors.ts";
import { hideInAddresses } from "../../../base/secrets.ts";
import { counted, groupDigits, oneOf } from "../../../base/wording.ts";
import type { Context } from "../../../context.ts";
import type { HttpAnswer, ReceivedRequest, RequestHead, Service } from "../../../local-http.ts";
import { withoutOwnSecrets } from "../view.ts";
import { refusalOf } from "./admission.ts";
import { Arrivals } from "./arrivals.ts";
import { aboutOf, eventIn, readBody } from "./delivery.ts";

interface Wanted {
  /** The secret token that a delivery must carry. */
  token: string | undefined;
  forward: URL | undefined;
  /** The folder for saved bodies. */
  folder: string | undefined;
  /** Number of deliveries to accept. */
  count: number | undefined;
  /** Maximum size of a forwarded answer. */
  maxBytes: number;
  /** A dry run: a sender must not take what is neither saved nor forwarded for delivered. */
  isRefusing?: boolean;
}

interface Answered {
  answer: HttpAnswer;
  error: string | null;
}
interface Saved {
  file: string | null;
  error: string | null;
}

/** Maximum number of rows waiting for a slow reader of stdout; each may contain a large body. */
const maxWaiting = 4;

/**
 * Accepts deliveries and produces a row for each. A refused delivery has a row too; any other refused request, a
 * warning.
 */
export class Receiver implements Service {
  readonly #context: Context;
  readonly #wanted: Wanted;
  readonly #arrivals = new Arrivals(maxWaiting);
  #taken = 0;
  #shown = 0;
  /** Deliveries that were not saved, or not forwarded. */
  #undone = 0;
  /** Why the last of them was not: a warning only if it changes. */
  #reason: string | undefined;
  #files = 0;

  constructor(context: Context, wanted: Wanted) {
    this.#context = context;
    this.#wanted = wanted;
  }

  admit(head: RequestHead): HttpAnswer | undefined {
    const { count = Number.POSITIVE_INFINITY, token } = this.#wanted;
    const refusal = refusalOf(head, token);
    if (refusal === undefined) {
      // Another one may have arrived while the last one was in progress.
      if (this.#taken >= count || this.#context.signal.aborted) return answerOf(503, "no more deliveries are accepted");
      this.#taken += 1;
      return undefined;
    }
    const { status, reason, isDelivery } = refusal;
    if (isDelivery) this.#arrivals.offer({ ...this.#rowOf(head), status, error: reason });
    else this.#context.warn(`refused with ${status}: ${reason} (${head.method} ${pathOf(head)})`);
    return answerOf(status, reason);
  }

  async serve(request: ReceivedRequest): Promise<HttpAnswer> {
    const body = readBody(request.body);
    const saved = await this.#save(request.body, typeof body === "string" ? "txt" : "json");
    const { answer, error } = saved.error === null ? await this.#answer(request) : unsaved(saved.error);
    const { status } = answer;
    this.#note(error);
    await this.#arrivals.put({ ...this.#rowOf(request), ...aboutOf(body), status, error, file: saved.file, body });
    this.#shown += 1;
    if (this.#shown === this.#wanted.count) this.end();
    return answer;
  }

  lost(head: RequestHead, status: number, reason: string): void {
    this.#taken -= 1;
    this.#context.warn(`answered ${status}: ${reason} (${head.method} ${pathOf(head)})`);
  }

  rows(): AsyncIterable<object> {
    return this.#arrivals.rows();
  }

  /** The failure of all deliveries, or that fewer arrived than were wanted; undefined if there is none. */
  failure(): Failure | undefined {
    if (this.#undone === 0) return this.#interruption();
    const { forward, folder } = this.#wanted;
    const what = oneOf([...(folder === undefined ? [] : ["saved"]), ...(forward === undefined ? [] : ["forwarded"])]);
    const all = counted(this.#shown, "delivery", "deliveries");
    return new Failure("partial", `${groupDigits(this.#undone)} of ${all} could not be ${what}`, {
      ...(this.#reason !== undefined && { reason: this.#reason }),
    });
  }

  /** A script that waits for a number of deliveries must not take fewer for all of them. */
  #interruption(): Failure | undefined {
    const { count = 0 } = this.#wanted;
    if (!this.#context.signal.aborted || this.#shown >= count) return undefined;
    const arrived = `${groupDigits(this.#shown)} of ${counted(count, "delivery", "deliveries")} arrived`;
    return new Failure("interrupted", `interrupted: ${arrived}`, { code: "interrupted" });
  }

  #note(error: string | null): void {
    if (error === null) return;
    this.#undone += 1;
    if (error !== this.#reason) this.#context.warn(`a delivery was ${error}`);
    this.#reason = error;
  }

  end(): void {
    this.#arrivals.end();
  }

  #rowOf(head: RequestHead) {
    return {
      received_at: this.#context.now().toISOString(),
      event: eventIn(head),
      place: null,
      title: null,
      file: null,
      path: pathOf(head),
      headers: withoutOwnSecrets(namedHeaders(head)),
      body: null,
    };
  }

  /** The answer of the forwarding address, or our own. */
  async #answer({ method, headers, body }: ReceivedRequest): Promise<Answered> {
    const { forward, maxBytes, isRefusing = false } = this.#wanted;
    if (isRefusing) return { answer: answerOf(503, "a dry run: it is neither saved nor forwarded"), error: null };
    if (forward === undefined) return { answer: answerOf(200, "received"), error: null };
    const { signal, config, http } = this.#context;
    try {
      const limits = { timeoutMs: config.timeoutMs, maxBytes, signal };
      return { answer: await http.relay(forward, { method, headers, body }, limits), error: null };
    } catch (error) {
      return { answer: answerOf(502, "it could not be forwarded"), error: `not forwarded: ${reasonIn(error)}` };
    }
  }

  /** Names consist of the time and a number: no part of a delivery is used in a path, and no file is replaced. */
  async #save(body: Uint8Array, extension: string): Promise<Saved> {
    const { folder } = this.#wanted;
    if (folder === undefined) return { file: null, error: null };
    const time = this.#context.now().toISOString().replace(/[-:]/g, "").replace(/\.\d+/, "");
    try {
      while (true) {
        this.#files += 1;
        const file = join(folder, `${time}-${String(this.#files).padStart(4, "0")}.${extension}`);
        if (await this.#context.files.create(file, body, { mode: 0o600 })) return { file, error: null };
      }
    } catch (error) {
      return { file: null, error: `not saved: ${reasonIn(error)}` };
    }
  }
}

/** A delivery that was not saved is answered with an error, so that the sender may retry it. */
function unsaved(error: string): Answered {
  return { answer: answerOf(500, "it could not be saved"), error };
}

function answerOf(status: number, text: string): HttpAnswer {
  return {
    status,
    headers: [["Content-Type", "text/plain; charset=utf-8"], ...(status === 405 ? [["Allow", "POST"] as const] : [])],
    body: new TextEncoder().encode(`${text}\n`),
  };
}

/** Queries may contain secrets. */
function pathOf({ target }: RequestHead): string {
  return hideInAddresses(target);
}

/** Headers by name; the values of a repeated one are joined. */
function namedHeaders({ headers }: RequestHead): Record<string, string> {
  const named = new Map<string, string>();
  for (const [name, value] of headers) {
    const before = named.get(name);
    named.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(named);
}
