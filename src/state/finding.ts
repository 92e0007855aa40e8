import { guesser } from "../base/nearest.ts";

/** A problem in a file, with its position. `path` is dotted: `groups.acme.hooks[0].url`. */
export interface Finding {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly path: string;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  readonly hint: string | null;
}

/** The position of a value in a file. */
export interface Origin {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The pattern that it is declared for; undefined for one scope. */
  readonly pattern?: string;
}

/** `forge/groups/acme.yaml:5` */
export function originText({ file, line }: Origin): string {
  return `${file}:${line}`;
}

/** Collects the problems in the files of a run, in the order found. */
export class Findings {
  /** The name that was probably meant; for the first unknown ones of the run. */
  readonly guess = guesser();
  readonly #found: Finding[] = [];
  readonly #once = new Set<string>();
  #errors = 0;
  readonly #passedOver = new Map<string, { origin: Origin; names: Set<string> }>();

  error(origin: Origin, path: string, message: string, hint?: string): void {
    this.#add(origin, { path, severity: "error", message, hint: hint ?? null });
  }

  warn(origin: Origin, path: string, message: string, hint?: string): void {
    this.#add(origin, { path, severity: "warning", message, hint: hint ?? null });
  }

  /** The same problem of one place, found for several scopes, is one. */
  once(origin: Origin, finding: Omit<Finding, "file" | "line">): void {
    const key = `${originText(origin)} ${finding.path} ${finding.message}`;
    if (this.#once.has(key)) return;
    this.#once.add(key);
    this.#add(origin, finding);
  }

  #add({ file, line }: Origin, finding: Omit<Finding, "file" | "line">): void {
    if (finding.severity === "error") this.#errors += 1;
    this.#found.push({ file, line, ...finding });
  }

  /** Fields that the instance sets and a file may contain: one warning per kind. */
  passOver(origin: Origin, kind: string, names: readonly string[]): void {
    const held = this.#passedOver.get(kind) ?? { origin, names: new Set() };
    for (const name of names) held.names.add(name);
    this.#passedOver.set(kind, held);
  }

  get list(): readonly Finding[] {
    const passed = [...this.#passedOver].map(([path, { origin, names }]): Finding => {
      const message = `${[...names].join(", ")}: set by the instance, ignored`;
      return { ...origin, path, severity: "warning", message, hint: null };
    });
    return [...this.#found, ...passed];
  }

  /** The number of errors so far. */
  get errorCount(): number {
    return this.#errors;
  }

  get errors(): Finding[] {
    return this.#found.filter(({ severity }) => severity === "error");
  }
}
