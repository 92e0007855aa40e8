import type { Output, TerminalText } from "../../host.ts";
import type { Packing } from "./packed-texts.ts";

/** UTF-16 units kept uncompressed; further text of a longer list is compressed. */
const plainLength = 2 * 1024 * 1024;

/** Text of a list that is not complete yet: text takes half the memory of objects, compressed text a tenth of that. */
export class PendingText {
  readonly #plain: TerminalText[] = [];
  #plainLeft = plainLength;
  #packing: Packing | undefined;

  async add(text: TerminalText): Promise<void> {
    if (this.#plainLeft > 0) {
      this.#plain.push(text);
      this.#plainLeft -= text.length;
      return;
    }
    this.#packing ??= new (await import("./packed-texts.ts")).Packing();
    await this.#packing.add(text);
  }

  /** Writes all added text, in order. */
  async writeTo(output: Output): Promise<void> {
    for (const text of this.#plain) await output.write(text);
    await this.#packing?.writeTo(output);
  }
}
