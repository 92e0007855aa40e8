import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { finished } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { Failure } from "../../../base/errors.ts";
import { groupDigits } from "../../../base/wording.ts";
import type { Inspector } from "../../../transfer/wanted.ts";

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
    const problem = this.#lines?.read(chunk);
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

/** In bytes; the platform's own import accepts lines of at most 50 MiB. */
const maxLineBytes = 128 * 1024 * 1024;
const lineFeed = 10;

/** Checks that every line is a JSON document, keeping only the incomplete line in memory. */
class JsonLines {
  count = 0;
  /** The beginning of a line whose end has not arrived. */
  #partial: Buffer[] = [];
  #partialBytes = 0;

  /** The problem with the lines completed by this chunk, if any. */
  read(chunk: Buffer): string | undefined {
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      const problem = this.#line(chunk.subarray(from, at));
      if (problem !== undefined) return problem;
      from = at + 1;
    }
    if (from === chunk.length) return undefined;
    this.#partial.push(chunk.subarray(from));
    this.#partialBytes += chunk.length - from;
    return this.#partialBytes > maxLineBytes ? `line ${this.count + 1} is longer than 128 MiB` : undefined;
  }

  /** The last line need not end with a line feed. */
  end(): string | undefined {
    return this.#partialBytes === 0 ? undefined : this.#line(Buffer.alloc(0));
  }

  #line(rest: Buffer): string | undefined {
    const line = this.#partialBytes === 0 ? rest : Buffer.concat([...this.#partial, rest]);
    this.#partial = [];
    this.#partialBytes = 0;
    this.count += 1;
    return isJson(line) ? undefined : `line ${this.count} is not JSON`;
  }
}

/** Valid JSON has non-ASCII bytes only in strings, so that they need no decoding; UTF-8 is checked separately. */
function isJson(line: Buffer): boolean {
  try {
    JSON.parse(line.toString("latin1"));
    return isUtf8(line);
  } catch {
    return false;
  }
}
