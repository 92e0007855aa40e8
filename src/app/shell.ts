import type { Output, Program } from "../host.ts";

/** The parts of the machine that are needed from the start; the rest is wired when a command runs. */
export interface Shell {
  readonly host: NodeJS.Process;
  readonly version: string;
  readonly part: Program["part"];
  readonly stdout: Output;
  readonly stderr: Output;
}

/** How an error is printed, as far as the configuration is known. */
export interface Reporting {
  readonly format: string | undefined;
  readonly color: string | undefined;
  readonly debug: boolean;
  /** Replaces every secret known so far in a text. */
  redact(text: string): string;
}
