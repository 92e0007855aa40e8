/** One thing to know about a file, where it stands. `path` is dotted: `groups.acme.hooks[0].url`. */
export interface Finding {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly path: string;
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint: string | null;
}

/** Where something was written. */
export interface Origin {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** `forge/groups/acme.yaml:5` */
export function originText({ file, line }: Origin): string {
  return `${file}:${line}`;
}

/** Collects what is wrong with the files of a run, in the order in which it was found. */
export class Findings {
  readonly list: Finding[] = [];

  error(origin: Origin, path: string, message: string, hint?: string): void {
    this.list.push({ ...origin, path, severity: "error", message, hint: hint ?? null });
  }

  warn(origin: Origin, path: string, message: string, hint?: string): void {
    this.list.push({ ...origin, path, severity: "warning", message, hint: hint ?? null });
  }

  get errors(): Finding[] {
    return this.list.filter(({ severity }) => severity === "error");
  }
}
