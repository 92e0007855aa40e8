import { createHash } from "node:crypto";
import { finished } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { inflated, isInflated } from "../../../api/transport/inflation.ts";
import { Failure } from "../../../base/errors.ts";
import { maxJsonDepth } from "../../../base/json-depth.ts";
import { type JsonProblem, JsonScan } from "../../../base/json-scan.ts";
import { groupDigits } from "../../../base/wording.ts";
import type { Inspector } from "../../../transfer/download-request.ts";

interface Expected {
  label: string;
  /** Whether every line must be JSON; otherwise any content is accepted. */
  json: boolean;
  /** Expected number of lines, if known. */
  lines: number | undefined;
}

/** Bytes passed to the decompression thread at once, and back: each transfer costs as much as the decompression. */
const packedBytes = 512 * 1024;
const unpackedBytes = 1024 * 1024;

/** Checks an exported relation while it is saved: complete gzip, JSON on every line, as many lines as announced. */
export class RelationInspector implements Inspector {
  readonly #expected: Expected;
  readonly #hash = createHash("sha256");
  readonly #gunzip = createGunzip({ chunkSize: unpackedBytes });
  readonly #unpacked: Promise<void>;
  readonly #lines: JsonLines | undefined;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #unpackedBytes = 0;
  #problem: Error | undefined;
  #sha256 = "";

  constructor(expected: Expected) {
    this.#expected = expected;
    this.#lines = expected.json ? new JsonLines() : undefined;
    this.#gunzip.on("data", (chunk: Buffer) => this.#read(chunk));
    this.#unpacked = finished(this.#gunzip).catch((error: Error) => {
      this.#problem ??= error;
    });
  }

  /** Hexadecimal, once it is finished. */
  get sha256(): string {
    return this.#sha256;
  }

  /** Number of lines; null if the content does not consist of lines. */
  get lines(): number | null {
    return this.#lines?.count ?? null;
  }

  take(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#problem !== undefined) throw this.#bad(this.#problem.message);
    this.#hash.update(chunk);
    this.#waiting.push(Uint8Array.from(chunk));
    this.#waitingBytes += chunk.length;
    return this.#waitingBytes < packedBytes ? undefined : this.#unpack();
  }

  async #unpack(): Promise<void> {
    const packed = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (this.#gunzip.write(packed)) return;
    await Promise.race([new Promise<void>((done) => this.#gunzip.once("drain", done)), this.#unpacked]);
  }

  async finish(): Promise<void> {
    this.#gunzip.end(Buffer.concat(this.#waiting));
    await this.#unpacked;
    const problem = this.#problem?.message ?? this.#lines?.end();
    if (problem !== undefined) throw this.#bad(problem);
    const { lines } = this.#expected;
    if (lines !== undefined && this.lines !== null && this.lines !== lines) {
      throw this.#bad(`it has ${groupDigits(this.lines)} lines, and ${groupDigits(lines)} objects were announced`);
    }
    this.#sha256 = this.#hash.digest("hex");
  }

  #read(chunk: Buffer): void {
    this.#unpackedBytes += chunk.length;
    const isBomb = this.#lines !== undefined && isInflated(this.#unpackedBytes, this.#gunzip.bytesWritten);
    const problem = isBomb ? inflated : this.#lines?.read(chunk);
    if (problem !== undefined) this.#gunzip.destroy(new Error(problem));
  }

  #bad(reason: string): Failure {
    this.#gunzip.destroy();
    return new Failure("integrity", `${this.#expected.label}: the file is damaged, and was removed`, {
      code: "bad_relation",
      reason,
      retryable: true,
    });
  }
}

const limits = { depth: maxJsonDepth, values: Number.POSITIVE_INFINITY };
const lineFeed = 10;

/** Checks that every line is a JSON document, without building it or keeping it: a line may be of any length. */
class JsonLines {
  count = 0;
  readonly #scan = new JsonScan(limits);
  /** Whether a line has begun. */
  #isOpen = false;

  /** The problem with the lines in this chunk, if any. */
  read(chunk: Buffer): string | undefined {
    let from = 0;
    while (from < chunk.length) {
      const feed = chunk.indexOf(lineFeed, from);
      const to = feed < 0 ? chunk.length : feed;
      if (!this.#isOpen) this.count += 1;
      this.#isOpen = feed < 0;
      const problem = this.#scan.read(chunk, from, to) ?? (feed < 0 ? undefined : this.#scan.end());
      if (problem !== undefined) return this.#bad(problem);
      from = to + 1;
    }
    return undefined;
  }

  /** The last line need not end with a line feed. */
  end(): string | undefined {
    const problem = this.#isOpen ? this.#scan.end() : undefined;
    return problem && this.#bad(problem);
  }

  #bad(problem: JsonProblem): string {
    return `line ${this.count} is ${problem}`;
  }
}
