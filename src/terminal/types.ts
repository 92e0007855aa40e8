/** Questions to a person; only there when both ends are a terminal and asking is allowed. */
export interface Prompt {
  readonly available: boolean;
  /** `[y/N]`. */
  confirm(question: string): Promise<boolean>;
  text(question: string, options?: { default?: string }): Promise<string>;
  /** Not echoed. */
  secret(question: string): Promise<string>;
}

/** Progress on stderr: drawn on a terminal, silent elsewhere and with `--quiet`. */
export interface Progress {
  /** `done`: how much is there from before; rate and time left count what comes after. */
  start(label: string, options?: { total?: number; unit?: "bytes" | "items"; done?: number }): ProgressTask;
}
export interface ProgressTask {
  /** How far it is; a total may become known on the way. Bytes show rate and time left. */
  update(done: number, options?: { total?: number; label?: string }): void;
  /** Clears the line. */
  stop(): void;
}
