import type { FileWriter } from "../../host.ts";
import { Chain } from "./chain.ts";

/**
 * The journal of a run, and its record: files with the same lines. Scopes are changed concurrently, and how long a disk
 * takes differs from one write to the next: lines are written in the order of the chain, those that come meanwhile with
 * the next write. After one that failed there is none, so that each file is whole up to its last line.
 */
export class RunLog {
  readonly #files: readonly FileWriter[];
  readonly #chain = new Chain();
  #waiting: string[] = [];
  /** The write that will take what is waiting; undefined if nothing is. */
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(files: readonly FileWriter[]) {
    this.#files = files;
  }

  /** Appends lines, and waits until they are on disk. */
  note(lines: readonly object[]): Promise<void> {
    for (const line of lines) this.#waiting.push(this.#chain.line(line));
    if (this.#next === undefined) {
      this.#next = this.#last.then(() => this.#write());
      this.#last = this.#next;
    }
    return this.#next;
  }

  async #write(): Promise<void> {
    const text = new TextEncoder().encode(this.#waiting.join(""));
    this.#waiting = [];
    this.#next = undefined;
    for (const file of this.#files) {
      await file.write([text]);
      await file.sync();
    }
  }
}
