import type { World } from "../store/world.ts";
import { Problem } from "./problem.ts";

const REASON = "This endpoint has been requested too many times. Try again later.";

/** A limit per minute and key; refused requests do not count. */
export class RateLimit {
  readonly #most: number;
  readonly #taken = new Map<string, number[]>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts one request, or throws the 429, with the seconds to wait, which real instances do not send. */
  take(world: World, key: string): void {
    const at = world.now().getTime();
    const recent = (this.#taken.get(key) ?? []).filter((time) => time > at - world.minuteMs);
    const [first] = recent;
    if (first === undefined || recent.length < this.#most) {
      this.#taken.set(key, [...recent, at]);
      return;
    }
    if (world.asDeployed) throw new Problem(429, { message: { error: REASON } });
    const seconds = Math.ceil((first + world.minuteMs - at) / 1000);
    throw new Problem(429, { message: REASON }, { "retry-after": String(seconds) });
  }
}
