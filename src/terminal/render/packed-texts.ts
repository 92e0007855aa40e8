import { Readable } from "node:stream";
import { constants, createDeflateRaw, createInflateRaw } from "node:zlib";
import type { Output, TerminalText } from "../../host.ts";
import { restorer } from "../sanitize.ts";

/** Bytes decompressed at once, and in advance, on another thread. */
const unpacking = { chunkSize: 256 * 1024, readableHighWaterMark: 512 * 1024 };

/** Texts kept compressed, in order. Compression runs on another thread, one text at a time. */
export class Packing {
  readonly #packed: Buffer[] = [];
  readonly #deflate = createDeflateRaw({ level: constants.Z_BEST_SPEED });
  #inProgress: Promise<void> = Promise.resolve();

  constructor() {
    this.#deflate.on("data", (chunk: Buffer) => this.#packed.push(chunk));
  }

  async add(text: TerminalText): Promise<void> {
    // One text is compressed while the next one is built.
    await this.#inProgress;
    this.#inProgress = new Promise((resolve, reject) => {
      this.#deflate.write(text, (error) => (error ? reject(error) : resolve()));
    });
    this.#inProgress.catch(() => undefined);
  }

  /** Writes all added text, in order; the bytes as they are, unless a terminal's output takes only text. */
  async writeTo(output: Output): Promise<void> {
    await this.#inProgress;
    await new Promise<void>((resolve) => this.#deflate.once("end", resolve).end());
    const restored = restorer();
    for await (const chunk of Readable.from(this.#packed).pipe(createInflateRaw(unpacking))) {
      await (output.isTerminal ? output.write(restored(chunk)) : output.writeBytes(chunk));
    }
  }
}
