import type { Context } from "../../context.ts";
import type { Seen } from "../live/reader.ts";
import type { Unread } from "./result.ts";

/** A list that was read again, or why that was not possible. */
export type Looked = Exclude<Seen, Unread> | Unread;

/** How long a change may take to become visible. */
const settleMs = 5000;
const settleStepMs = 250;

/** Reads a list for a few seconds until it matches. After Ctrl-C it is read once. */
export async function lookUntil(
  { signal, elapsedMs, sleep }: Pick<Context, "signal" | "elapsedMs" | "sleep">,
  look: () => Promise<Looked>,
  isSettled: () => boolean,
): Promise<Looked> {
  const end = elapsedMs() + settleMs;
  while (true) {
    const seen = await look();
    const isOver = signal.aborted || elapsedMs() >= end;
    if ("unreadable" in seen || isSettled() || isOver) return seen;
    await sleep(settleStepMs).catch(() => undefined);
  }
}
