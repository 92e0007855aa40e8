/** So many in any stretch of time, for each key; what is refused does not count. */
export class RateLimit {
  readonly #most: number;
  readonly #windowMs: number;
  readonly #taken = new Map<string, number[]>();

  constructor(most: number, windowMs: number) {
    this.#most = most;
    this.#windowMs = windowMs;
  }

  /** Takes one, or gives the seconds until there is one again. */
  take(key: string, now: Date): number | undefined {
    const at = now.getTime();
    const recent = (this.#taken.get(key) ?? []).filter((time) => time > at - this.#windowMs);
    const [first] = recent;
    if (first !== undefined && recent.length >= this.#most) return Math.ceil((first + this.#windowMs - at) / 1000);
    this.#taken.set(key, [...recent, at]);
    return undefined;
  }
}
