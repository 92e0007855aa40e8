/** A value of a file with its line. Aliases refer to the node that they name. */
export type Tree = Mapping | Sequence | Scalar;

export interface Mapping {
  readonly kind: "mapping";
  readonly line: number;
  /** Read again on each use, since the tree of a large file does not exist as a whole. */
  readonly entries: Map<string, { readonly line: number; readonly value: Tree }>;
}

export interface Sequence {
  readonly kind: "sequence";
  readonly line: number;
  /** Read again on each use. */
  readonly items: Tree[];
}

export interface Scalar {
  readonly kind: "scalar";
  readonly line: number;
  readonly value: string | number | boolean | null;
}

/** A file that is not a valid YAML document for a state file; lines start at 1. */
export class TreeError extends Error {
  readonly line: number;
  readonly hint: string | undefined;

  constructor(line: number, message: string, hint?: string) {
    super(message);
    this.name = "TreeError";
    this.line = line;
    this.hint = hint;
  }
}
