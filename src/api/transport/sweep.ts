import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export interface Sweeper {
  /**
   * Frees the buffers transferred since the last time. V8 would let 64 MiB or more accumulate, since
   * they take little of its own heap; a minor collection takes about a millisecond.
   */
  buffers(): void;
  /**
   * Frees unused old objects. V8 would let the heap grow to four times the size in use, so that a run
   * of many small requests would retain most of what it received; takes some 20 milliseconds.
   */
  all(): void;
}

/** Node 20 treats any options as those of a minor collection. */
type Collect = (options?: { type: "minor" }) => void;

let collect: Collect | undefined;

/** Exposes V8's garbage collector, which is not available otherwise, on first use. */
export function sweeper(): Sweeper {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as Collect;
    // V8 accepts cached code only under the flags it was compiled with, and the next run will not have this one.
    setFlagsFromString("--no-expose-gc");
  }
  const own = collect;
  return { buffers: () => own({ type: "minor" }), all: () => own() };
}
