import { setImmediate } from "node:timers";

/** Resolves in the next turn of the event loop, after the input and output that is ready now. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** How long something computes until it looks at signals, in milliseconds. */
const maxMs = 50;

/** To be awaited between the parts of what computes for long: a signal takes effect there. */
export function pauses({ signal, elapsedMs }: { readonly signal: AbortSignal; elapsedMs(): number }) {
  let last = elapsedMs();
  return async (): Promise<void> => {
    if (elapsedMs() - last < maxMs) return;
    await nextTurn();
    signal.throwIfAborted();
    last = elapsedMs();
  };
}
