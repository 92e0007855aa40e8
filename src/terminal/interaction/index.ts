/** Interactive prompts; available only if stdin and stderr are terminals and prompts are allowed. */
export interface Prompt {
  readonly available: boolean;
  /** `[y/N]`. */
  confirm(question: string): Promise<boolean>;
  text(question: string, options?: { default?: string }): Promise<string>;
  /** Not echoed. */
  secret(question: string): Promise<string>;
  /**
   * Lets the user choose from a list filtered by typing; undefined if canceled with Esc.
   *
   * @param find the values that match the typed text, each with a label
   */
  choose(
    question: string,
    find: (typed: string, signal: AbortSignal) => Promise<readonly (readonly [value: string, label: string])[]>,
  ): Promise<string | undefined>;
}

/** Progress on stderr: drawn on a terminal, silent elsewhere and with `--quiet`. */
export interface Progress {
  start(label: string, options?: ProgressStart): ProgressTask;
}
export interface ProgressStart {
  total?: number;
  unit?: "bytes" | "items";
  /** The amount already done; it does not count toward the rate and the time left. */
  done?: number;
  /** Shown only while no other task is, and after lasting long enough to be noticed. */
  background?: boolean;
}
export interface ProgressTask {
  /** Sets the amount done; the total may become known later. Bytes show rate and time left. */
  update(done: number, options?: { total?: number; label?: string }): void;
  /** Clears the line. */
  stop(): void;
}
