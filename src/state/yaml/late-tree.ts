import type { Mapping, Sequence, Tree } from "./tree.ts";

// Collections that are read when they are used.

export class LateMapping implements Mapping {
  readonly kind = "mapping";
  readonly line: number;
  readonly #read: () => Mapping["entries"];

  constructor(line: number, read: () => Mapping["entries"]) {
    this.line = line;
    this.#read = read;
  }

  get entries(): Mapping["entries"] {
    return this.#read();
  }
}

export class LateSequence implements Sequence {
  readonly kind = "sequence";
  readonly line: number;
  readonly #read: () => Tree[];

  constructor(line: number, read: () => Tree[]) {
    this.line = line;
    this.#read = read;
  }

  get items(): Tree[] {
    return this.#read();
  }
}
