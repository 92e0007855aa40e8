import { memoized } from "../base/memo.ts";
import type { Origin } from "./finding.ts";
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
  const { paths, wide } = exceptionsIn(except);
  return paths.has(path.toLowerCase()) || wide.some((pattern) => matches(pattern, path));
}

/** The patterns among the exceptions: a path leaves out no pattern as a whole. */
export function wideExceptions({ except }: Block): readonly Pattern[] {
  return exceptionsIn(except).wide;
}

/** The paths that exceptions name, in lower case, and the patterns among them: there may be as many as projects. */
const exceptionsIn = memoized((except: Block["except"]) => {
  const [wide, named] = [true, false].map((isWide) =>
    except.flatMap(({ pattern }) => (pattern.text.includes("*") === isWide ? [pattern] : [])),
  ) as [Pattern[], Pattern[]];
  return { paths: new Set(named.map(({ literal }) => literal)), wide };
});
