import { Readable } from "node:stream";
import { constants, createDeflateRaw, createInflateRaw } from "node:zlib";
import type { TerminalText } from "../host.ts";
import { restorer } from "./sanitize.ts";

/** Bytes unpacked at once. */
const chunkSize = 64 * 1024;

/** Texts kept packed, in order. Packing runs beside the program's own thread, one text at a time. */
export class Packing {
  readonly #packed: Buffer[] = [];
  readonly #deflate = createDeflateRaw({ level: constants.Z_BEST_SPEED });
  #underWay: Promise<void> = Promise.resolve();

  constructor() {
    this.#deflate.on("data", (chunk: Buffer) => this.#packed.push(chunk));
  }

  async add(text: TerminalText): Promise<void> {
    // One text is packed while the next one is made.
    await this.#underWay;
    this.#underWay = new Promise((resolve, reject) => {
      this.#deflate.write(text, (error) => (error ? reject(error) : resolve()));
    });
    this.#underWay.catch(() => undefined);
  }

  /** Everything that was added, in pieces of any length. */
  async *texts(): AsyncGenerator<TerminalText> {
    await this.#underWay;
    await new Promise<void>((resolve) => this.#deflate.once("end", resolve).end());
    const restored = restorer();
    for await (const chunk of Readable.from(this.#packed).pipe(createInflateRaw({ chunkSize }))) yield restored(chunk);
  }
}
