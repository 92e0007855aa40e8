import type { TerminalText } from "../host.ts";
import type { Packing } from "./packing.ts";

/** So much text is kept as it is, in UTF-16 units; what a longer list adds is packed. */
const plainLength = 2 * 1024 * 1024;

/** Text that waits until a list is whole: text takes half the memory of objects, and packed a tenth of that. */
export class Held {
  readonly #plain: TerminalText[] = [];
  #plainLeft = plainLength;
  #packing: Packing | undefined;

  async add(text: TerminalText): Promise<void> {
    if (this.#plainLeft > 0) {
      this.#plain.push(text);
      this.#plainLeft -= text.length;
      return;
    }
    this.#packing ??= new (await import("./packing.ts")).Packing();
    await this.#packing.add(text);
  }

  /** Everything that was added, in order, in pieces of any length. */
  async *texts(): AsyncGenerator<TerminalText> {
    yield* this.#plain;
    if (this.#packing !== undefined) yield* this.#packing.texts();
  }
}
