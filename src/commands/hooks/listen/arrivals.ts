const maxSmall = 100;

/** A bounded queue of rows between the receiver and the output: a producer waits while it is full. */
export class Arrivals {
  readonly #max: number;
  readonly #rows: object[] = [];
  #wake = () => {};
  #room: (() => void)[] = [];
  #ended = false;

  constructor(max: number) {
    this.#max = max;
  }

  async put(row: object): Promise<void> {
    while (this.#rows.length >= this.#max && !this.#ended) {
      await new Promise<void>((resolve) => this.#room.push(resolve));
    }
    this.#rows.push(row);
    this.#wake();
  }

  /** Adds a small row without waiting: it is dropped if many are queued. */
  offer(row: object): void {
    if (this.#rows.length >= maxSmall) return;
    this.#rows.push(row);
    this.#wake();
  }

  /** Yields the queued rows, and then ends. */
  end(): void {
    this.#ended = true;
    this.#wake();
    for (const resolve of this.#room.splice(0)) resolve();
  }

  async *rows(): AsyncGenerator<object> {
    while (true) {
      const row = this.#rows.shift();
      if (row !== undefined) {
        this.#room.shift()?.();
        yield row;
      } else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
