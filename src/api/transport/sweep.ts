import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Frees the buffers that have gone through since the last time. V8 would let 64 MiB and more of them pile up, since
 * they weigh little on its own heap; a collection of young objects takes about a millisecond.
 */
export function sweeper(): () => void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (options: { type: "minor" }) => void;
  return () => collect({ type: "minor" });
}
