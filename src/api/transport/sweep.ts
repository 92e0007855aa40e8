import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export interface Sweeper {
  /**
   * Frees the buffers that have gone through since the last time. V8 would let 64 MiB and more of them pile up, since
   * they weigh little on its own heap; a collection of young objects takes about a millisecond.
   */
  buffers(): void;
  /**
   * Frees what has grown old and is not used any more. V8 would let that grow to four times what is in use, so that a run
   * of many small requests would hold most of what it ever received; takes some 20 milliseconds.
   */
  all(): void;
}

/** Node 20 takes any options for those of a minor collection. */
type Collect = (options?: { type: "minor" }) => void;

let collect: Collect | undefined;

export function sweeper(): Sweeper {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as Collect;
    // V8 takes compiled code only under the flags that it was made with: what this run keeps is for the next one.
    setFlagsFromString("--no-expose-gc");
  }
  const own = collect;
  return { buffers: () => own({ type: "minor" }), all: () => own() };
}
