import { setImmediate } from "node:timers";
import type { Controller, Handler } from "undici/lib/dispatcher/pool.js";
import type { Chunks } from "../../base/chunks.ts";
import { Broken, changedMeanwhile } from "./broken-exchange.ts";
import type { WireBody } from "./message.ts";
import { type Clock, Watchdog } from "./watchdog.ts";

/** Bytes buffered for a slow reader before the connection is paused. */
const highWaterMark = 1024 * 1024;
/** Maximum bytes that are drained to reuse a connection; beyond that it is cheaper to close it. */
const discardLimit = 64 * 1024;
/** Maximum time for draining: a slow body would delay the next request. */
const discardMs = 2_000;
/** Maximum time for reading an error's body: the part received until then suffices. */
const errorBodyMs = 10_000;

export interface Head {
  status: number;
  /** Names in lower case, repeated ones joined with ", ". */
  headers: Record<string, string>;
}

type Batch = IteratorResult<Chunks>;

/** One request and its answer: undici calls the `on…` methods, the reader iterates over what arrived together. */
export class Exchange implements Handler, AsyncIterableIterator<Chunks> {
  readonly head: Promise<Head>;
  /** Whether a connection accepted the request, so that the server may have read it. */
  started = false;
  /** Bytes of the body received so far, before decoding. */
  received = 0;
  /** Called once, at the end. */
  onSettled: () => void = () => {};

  readonly #watchdog: Watchdog;
  #answer: { resolve(head: Head): void; reject(error: unknown): void } | undefined;
  #reader: { resolve(result: Batch): void; reject(error: unknown): void } | undefined;
  /** Set while the exchange is in progress; it retains the first bytes received. */
  #controller: Controller | undefined;
  /** Receives chunks as they arrive, in place of a queue. */
  #take: ((chunk: Uint8Array) => void) | undefined;
  #queue: Uint8Array[] = [];
  #queued = 0;
  #paused = false;
  #ended = false;
  #error: unknown;
  /** The deadline for reading the body. */
  #until = Infinity;
  readonly #clock: Clock;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#watchdog = new Watchdog(clock, timeoutMs, () => this.abort(this.#broken(undefined, true)));
    this.head = new Promise((resolve, reject) => {
      this.#answer = { resolve, reject };
    });
    // It may end before its head is awaited; a later await still gets the error.
    this.head.catch(() => undefined);
  }

  /** The request body, with a timeout that counts the server's delays, not those of the body's source. */
  async *upload(body: WireBody): AsyncGenerator<Uint8Array> {
    let sent = 0;
    try {
      for await (const chunk of body.stream()) {
        sent += chunk.length;
        if (sent > body.size) break;
        this.#await();
        yield chunk;
        this.#watchdog.rest();
      }
      if (sent !== body.size) throw changedMeanwhile(sent, body.size);
      this.#await();
    } catch (error) {
      this.abort(error);
      throw error;
    }
  }

  /** Aborts it at any stage; its reader gets `error`. */
  abort(error: unknown): void {
    if (this.#ended || this.#error !== undefined) return;
    this.#queue = [];
    const controller = this.#controller;
    this.#fail(error);
    controller?.abort(error instanceof Error ? error : new Error("aborted"));
  }

  onRequestStart(controller: Controller): void {
    this.started = true;
    this.#controller = controller;
    if (this.#error === undefined) this.#watchdog.wait();
    else controller.abort(new Error("aborted"));
  }

  onResponseStart(_controller: Controller, status: number, headers: Record<string, string | string[]>): void {
    // An interim answer (103) does not reset the timeout, since a server could send them endlessly.
    if (status < 200) return;
    this.#watchdog.rest();
    if (status >= 400) this.#until = this.#clock.elapsedMs() + errorBodyMs;
    const joined: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers)) joined[name] = Array.isArray(value) ? value.join(", ") : value;
    this.#answer?.resolve({ status, headers: joined });
    this.#answer = undefined;
  }

  onResponseData(controller: Controller, chunk: Uint8Array): void {
    // After a pause; it must not cause the next one.
    if (chunk.length === 0) return;
    this.received += chunk.length;
    if (this.#take) {
      this.#watchdog.wait();
      this.#hand([chunk], this.#take);
      return;
    }
    if (this.#reader) {
      this.#watchdog.rest();
      // Not now: more chunks may arrive in this turn of the event loop.
      if (this.#queue.length === 0) setImmediate(() => this.#deliver());
    }
    this.#queue.push(chunk);
    this.#queued += chunk.length;
    if (this.#queued < highWaterMark) return;
    this.#paused = true;
    controller.pause();
  }

  onResponseEnd(): void {
    this.#ended = true;
    this.#settle();
    if (this.#queue.length > 0) return;
    this.#reader?.resolve({ value: undefined, done: true });
    this.#reader = undefined;
  }

  onResponseError(_controller: Controller | undefined, error: Error): void {
    this.#fail(error instanceof Broken ? error : this.#broken(error, false));
  }

  next(): Promise<Batch> {
    if (this.#until !== Infinity && this.#clock.elapsedMs() > this.#until) this.abort(this.#broken(undefined, true));
    if (this.#queue.length > 0) return Promise.resolve({ value: this.#taken(), done: false });
    if (this.#error !== undefined) return Promise.reject(this.#error);
    if (this.#ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
      this.#watchdog.wait();
    });
  }

  #deliver(): void {
    const reader = this.#reader;
    if (reader === undefined || this.#queue.length === 0) return;
    this.#reader = undefined;
    reader.resolve({ value: this.#taken(), done: false });
  }

  #taken(): Chunks {
    const chunks = this.#queue;
    this.#queue = [];
    this.#queued = 0;
    this.resume();
    return chunks;
  }

  /** Receives more; undici may pass the next chunks at once, and learns of the end of the body only now. */
  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#controller?.resume();
  }

  /**
   * Passes each chunk of the body to `take` as it arrives, and resolves at its end: a waiting reader would hold a chunk
   * until it is promoted to V8's old generation. An error that `take` throws ends the exchange.
   */
  gather(take: (chunk: Uint8Array) => void): Promise<void> {
    this.#take = take;
    this.#hand(this.#queue.splice(0), take);
    this.#queued = 0;
    this.resume();
    if (this.#error !== undefined) return Promise.reject(this.#error);
    if (this.#ended) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#reader = { resolve: () => resolve(), reject };
      this.#watchdog.wait();
    });
  }

  #hand(chunks: Chunks, take: (chunk: Uint8Array) => void): void {
    try {
      for (const chunk of chunks) take(chunk);
    } catch (error) {
      // All of the body may have arrived before it is passed on.
      if (this.#ended) this.#error = error;
      else this.abort(error);
    }
  }

  /** The reader stopped. */
  return(): Promise<Batch> {
    this.abort(new Error("the reader left"));
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Frees the connection: a short rest is drained, a long one aborted. Never fails. */
  async discard(): Promise<void> {
    const limit = this.received + discardLimit;
    this.#until = this.#clock.elapsedMs() + discardMs;
    try {
      while (this.received <= limit) {
        if ((await this.next()).done) return;
      }
    } catch {
      return;
    }
    await this.return();
  }

  /** Waits for the answer, unless it has arrived already (a server may answer before it has read everything). */
  #await(): void {
    if (this.#answer) this.#watchdog.wait();
  }

  #broken(cause: unknown, timedOut: boolean): Broken {
    const stage = !this.started ? "connect" : this.#answer ? "answer" : "body";
    return new Broken(stage, { cause, timedOut, received: this.received });
  }

  #fail(error: unknown): void {
    if (this.#ended || this.#error !== undefined) return;
    this.#error = error;
    this.#settle();
    this.#answer?.reject(error);
    this.#answer = undefined;
    if (this.#queue.length > 0) return;
    this.#reader?.reject(error);
    this.#reader = undefined;
  }

  #settle(): void {
    this.#watchdog.stop();
    this.#controller = undefined;
    this.onSettled();
  }
}
