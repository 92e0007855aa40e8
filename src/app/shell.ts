import type { Output } from "../host.ts";

/** The program's own end of the machine, there from the start: the rest is wired up once a command runs. */
export interface Shell {
  readonly host: NodeJS.Process;
  readonly version: string;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** How an error is printed: by what is in force, as far as that is known. */
export interface Reporting {
  readonly format: string | undefined;
  readonly color: string | undefined;
  readonly debug: boolean;
  /** Takes every secret known so far out of a text. */
  redact(text: string): string;
}
