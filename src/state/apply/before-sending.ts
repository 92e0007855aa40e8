import { isId } from "../../base/group-paths.ts";
import type { Context } from "../../context.ts";
import { believedMs } from "../../jobs/same-place.ts";
import type { Change } from "../kind.ts";
import { replacedBy } from "../live/places.ts";
import { setMeanwhile } from "../live/presence.ts";
import type { Reader } from "../live/reader.ts";
import { asItIs, type Comparison } from "../plan/live-comparison.ts";
import { writtenSince } from "../runs/recent-writes.ts";
import { type Result, sendsWriteOnly, stale, unchanged } from "./result.ts";

// Whether a change is still the one that was planned, right before it is sent.

export interface ApplyOptions {
  /** When the scopes were looked up. */
  readonly readAtMs: number;
  /** Seconds to wait until a read of the settings shows the written values; settings are cached. */
  readonly waitSeconds: number | undefined;
  /** The ID of the run that makes the changes. */
  readonly run: string;
  /** Called after each change; its outcome follows when its list has been checked. */
  readonly made?: () => void;
}

/** Why nothing is sent for a change whose object is like this; undefined if it is as it was planned on. */
export function endedBy(change: Change, { wanted, before, live }: Comparison): Result | undefined {
  const set = setMeanwhile(change, live);
  if (set !== "none") return wanted && set === "all" ? unchanged(live) : stale(live);
  const isShown = change.doubts === undefined && !sendsWriteOnly(change);
  if (wanted && isShown) return unchanged(live);
  return before ? undefined : stale(live);
}

/** Why a change is not the one that was planned, whatever its object shows: a question or a long run is between. */
export async function outdated(
  context: Context,
  { places }: Reader,
  change: Change,
  options: ApplyOptions,
): Promise<string | undefined> {
  return (await otherScope(context, places, change, options)) ?? (await ownWrite(context, change, options));
}

/** Why a path is not that of the project or group that was planned for. */
async function otherScope(
  context: Context,
  places: Reader["places"],
  { scope }: Change,
  { readAtMs }: ApplyOptions,
): Promise<string | undefined> {
  const isBelieved = context.elapsedMs() - readAtMs < believedMs;
  return scope.at === "instance" || isId(scope.name) || isBelieved
    ? undefined
    : replacedBy(scope, await places.again(scope));
}

/** What this machine has written to a cached object since: a read need not show it. */
async function ownWrite(
  context: Context,
  { kind, desired, write }: Change,
  { readAtMs, run }: ApplyOptions,
): Promise<string | undefined> {
  if (kind.cached === undefined) return undefined;
  const written = await writtenSince(context, kind, context.elapsedMs() - readAtMs, run);
  const name = [...write, ...Object.keys(desired?.values ?? {})].find((each) => written.has(each));
  return name === undefined ? undefined : `another command changed ${name} after the plan was made`;
}

/** Thrown in place of a request that is not sent. */
export class Ended extends Error {
  readonly result: Result;
  constructor(result: Result) {
    super("not sent");
    this.result = result;
  }
}

/**
 * Throws if the object is not as it was when the requests of the change were made from it: what another user has
 * changed since must not be overwritten, nor undone by what is sent back as it was read.
 *
 * @param sent the change with the object as it was then
 */
export function refuseOther(change: Change, sent: Change, now: Comparison): void {
  const ended = endedBy(change, now);
  if (ended !== undefined) throw new Ended(ended);
  if (inputsOf(asItIs(change, now.live)) !== inputsOf(sent)) throw new Ended(stale(now.live));
}

/** What the requests of a change hold. */
function inputsOf(change: Change): string {
  return JSON.stringify(change.kind.steps(change).map(({ input }) => input));
}

/** Whether the requests of a change hold more of the object than what is declared. A cached read shows nothing new. */
export function sendsBack({ action, kind }: Change): boolean {
  return action !== "create" && action !== "delete" && kind.cached === undefined;
}
