import { createHash } from "node:crypto";

// The lines of a run's journal are a chain: each ends with a digest of itself and of the digest before it. A line that
// was altered, left out, added, or moved breaks the chain.

const ending = /^(\{.*),"sum":"([0-9a-f]{64})"\}$/s;

/** Writes the lines of a chain, one after the other. */
export class Chain {
  #sum = "";

  /** The next line, with its line break. */
  line(value: object): string {
    const body = JSON.stringify(value).slice(0, -1);
    this.#sum = digestOf(this.#sum, body);
    return `${body},"sum":"${this.#sum}"}\n`;
  }
}

/** The number of the first line that does not continue the chain, from 1; undefined if all do. */
export function brokenLine(lines: readonly string[]): number | undefined {
  let last = "";
  for (const [index, line] of lines.entries()) {
    const [, body, sum] = ending.exec(line) ?? [];
    if (body === undefined || sum !== digestOf(last, body)) return index + 1;
    last = sum;
  }
  return undefined;
}

/** @param body the line without its digest and its closing brace */
function digestOf(last: string, body: string): string {
  return createHash("sha256").update(`${last}\n${body}`).digest("hex");
}
