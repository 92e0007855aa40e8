/** Questions to a person; only there when both ends are a terminal and asking is allowed. */
export interface Prompt {
  readonly available: boolean;
  /** `[y/N]`. */
  confirm(question: string): Promise<boolean>;
  text(question: string, options?: { default?: string }): Promise<string>;
  /** Not echoed. */
  secret(question: string): Promise<string>;
  /**
   * One of a list that is narrowed by typing; undefined where it was left with Esc.
   *
   * @param find what fits what is typed: values, and what each is
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
  /** How much is there from before; rate and time left count what comes after. */
  done?: number;
  /** Shown only while no other task is, and once it has lasted long enough to be noticed. */
  background?: boolean;
}
export interface ProgressTask {
  /** How far it is; a total may become known on the way. Bytes show rate and time left. */
  update(done: number, options?: { total?: number; label?: string }): void;
  /** Clears the line. */
  stop(): void;
}
