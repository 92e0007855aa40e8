import { groupDigits } from "../../base/wording.ts";
import { type Block, wideExceptions } from "../block.ts";
import type { Findings, Origin } from "../finding.ts";

/** How many paths may be compared with patterns and exceptions: it takes seconds. */
const maxPaths = 10_000_000;
/** Comparing two patterns takes as long as comparing this number of paths with one. */
const pathsPerPattern = 10;

interface Compared {
  readonly block: Block;
  readonly origin: Origin;
}

/** What checking may still cost: there are about as many pairs as the square of all patterns, each with exceptions. */
export class Work {
  readonly #findings: Findings;
  #left = maxPaths;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** Whether a pattern may be compared with the others, and their exceptions too; if not, that is an error. */
  isLeft({ block, origin }: Compared, others: readonly Compared[]): boolean {
    const own = costOf(block);
    for (const other of others) this.#left -= pathsPerPattern * (own + wideExceptions(other.block).length);
    return this.#left >= 0 || this.#refuse(block.pattern.text, origin);
  }

  /** The same for a path that is named itself. */
  isLeftFor(path: string, origin: Origin, blocks: Iterable<Block>): boolean {
    for (const block of blocks) this.#left -= costOf(block);
    return this.#left >= 0 || this.#refuse(path, origin);
  }

  #refuse(path: string, origin: Origin): false {
    const most = groupDigits(maxPaths / pathsPerPattern);
    const message = `more than ${most} comparisons with patterns and their exceptions`;
    this.#findings.error(origin, path, message, "write fewer and wider patterns and exceptions");
    return false;
  }
}

function costOf(block: Block): number {
  return 1 + wideExceptions(block).length;
}
