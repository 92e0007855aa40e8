import type { Origin } from "../finding.ts";
import { matches, type Pattern } from "./pattern.ts";

/** A pattern in one file, with what it leaves out. Another file may declare other sections for the same pattern. */
export interface Block {
  readonly at: "group" | "project";
  readonly pattern: Pattern;
  readonly except: readonly { readonly pattern: Pattern; readonly origin: Origin }[];
  readonly origin: Origin;
}

/** Whether the block declares something for a path. */
export function covers(block: Block, path: string): boolean {
  return matches(block.pattern, path) && !leavesOut(block, path);
}

export function leavesOut({ except }: Block, path: string): boolean {
  return except.some(({ pattern }) => matches(pattern, path));
}
