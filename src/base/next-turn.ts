import { setImmediate } from "node:timers";

/** Resolves in the next turn of the event loop, after the input and output that is ready now. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
