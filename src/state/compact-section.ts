import type { Origin } from "./finding.ts";
import type { Declared, Kind, Scope, Section, Values } from "./kind.ts";

/** The texts of sections without duplicates: many projects are configured alike. */
export type Texts = Map<string, string>;

/**
 * A section of a file with its entries as JSON text. As objects they would take several times as much memory, which
 * matters for thousands of projects whose files are all read before the first request.
 */
export class CompactSection implements Section {
  readonly scope: Scope;
  readonly kind: Kind;
  readonly origin: Origin;
  /** Values, and lines from the section's own, so that equal sections have equal texts wherever they are. */
  readonly #entries: string;

  constructor({ scope, kind, origin, entries }: Section, texts: Texts) {
    this.scope = scope;
    this.kind = kind;
    this.origin = origin;
    const text = JSON.stringify(entries.map(({ values, origin: { line } }) => [line - origin.line, values]));
    const known = texts.get(text) ?? text;
    texts.set(known, known);
    this.#entries = known;
  }

  /** New objects at each use. */
  get entries(): Declared[] {
    const { file, line } = this.origin;
    const entries = JSON.parse(this.#entries) as [below: number, values: Values][];
    return entries.map(([below, values]) => ({ values, origin: { file, line: line + below } }));
  }
}
