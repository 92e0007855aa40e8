import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** V8's collector: without options a major collection. Node 20 treats any options as those of a minor one. */
type Collect = (options?: { type: "minor" } | { type: "major"; flavor: "last-resort" }) => void;

let collect: Collect | undefined;

/** Exposes V8's garbage collector, which is not available otherwise, on first use. */
function collector(): Collect {
  if (collect !== undefined) return collect;
  setFlagsFromString("--expose-gc");
  collect = runInNewContext("gc") as Collect;
  // V8 accepts cached code only under the flags it was compiled with, and the next run will not have this one.
  setFlagsFromString("--no-expose-gc");
  return collect;
}

/**
 * Frees the buffers transferred since the last time. V8 would let 64 MiB or more accumulate, since they take little of
 * its own heap; a minor collection takes about a millisecond.
 */
export function sweepBuffers(): void {
  collector()({ type: "minor" });
}

/** Bytes of the heap that are never worth a collection. */
const small = 24 * 1024 * 1024;
let limit = small;

/**
 * Frees unused objects if the heap has grown by a quarter since the last time. V8 would let it grow to four times the
 * size in use, and since Node 24 the part for new objects alone to 64 MiB; takes some 25 milliseconds.
 */
export function sweepHeap(): void {
  if (heapSize() < limit) return;
  // Also shrinks the part for new objects.
  collector()({ type: "major", flavor: "last-resort" });
  // Node 20 has done a minor collection.
  if (heapSize() > small) collector()();
  limit = Math.max(small, 1.25 * heapSize());
}

function heapSize(): number {
  return getHeapStatistics().total_heap_size;
}
