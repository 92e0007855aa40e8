import type { Progress, ProgressStart, ProgressTask } from "../../../terminal/interaction/index.ts";

/**
 * One line for concurrent downloads: files done of all, and bytes. The total of bytes is estimated from the downloads
 * that have started, until all have.
 */
export class PullProgress implements Progress, ProgressTask {
  readonly #task: ProgressTask;
  readonly #files: number;
  #ended = 0;
  #started = 0;
  #bytes = 0;
  #announced = 0;

  constructor(progress: Progress, files: number) {
    this.#files = files;
    this.#task = progress.start(this.#label(), { unit: "bytes" });
  }

  /** Starts one of the downloads. */
  start(_label: string, { total = 0, done = 0, unit = "items" }: ProgressStart = {}): ProgressTask {
    if (unit !== "bytes") return { update: () => undefined, stop: () => undefined };
    this.#started += 1;
    this.#announced += total - done;
    let before = done;
    return {
      update: (now) => {
        this.#bytes += now - before;
        before = now;
        this.#show();
      },
      stop: () => this.#show(),
    };
  }

  /** Shows how many files have ended. */
  update(ended: number): void {
    this.#ended = ended;
    this.#show();
  }

  stop(): void {
    this.#task.stop();
  }

  #show(): void {
    const total = Math.round((this.#announced / Math.max(1, this.#started)) * this.#files);
    this.#task.update(this.#bytes, { label: this.#label(), ...(this.#announced > 0 && { total }) });
  }

  #label(): string {
    return `pulling relations: ${this.#ended} of ${this.#files}`;
  }
}
