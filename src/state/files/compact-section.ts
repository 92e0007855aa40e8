import type { Block } from "../block.ts";
import type { Origin } from "../finding.ts";
import type { Declared, Kind, Scope, Section, Values } from "../kind.ts";

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
  readonly block: Block | undefined;
  readonly inherits?: true;
  readonly unmanaged?: true;
  /** Values, and lines from the section's own, so that equal sections have equal texts wherever they are. */
  readonly #entries: string;

  constructor(section: Section, texts: Texts) {
    const { scope, kind, origin, entries, block, inherits, unmanaged } = section;
    this.scope = scope;
    this.kind = kind;
    this.origin = origin;
    this.block = block;
    if (inherits) this.inherits = true;
    if (unmanaged) this.unmanaged = true;
    const text = JSON.stringify(entries.map((entry) => packed(entry, origin)));
    const known = texts.get(text) ?? text;
    texts.set(known, known);
    this.#entries = known;
  }

  /** New objects at each use. */
  get entries(): Declared[] {
    return (JSON.parse(this.#entries) as Packed[]).map((entry) => unpacked(entry, this.origin));
  }
}

/** Lines are counted from that of the section. */
type Packed = [below: number, values: Values, places: Readonly<Record<string, number>> | null, absent?: 1];

function packed({ values, origin, places, absent }: Declared, { line }: Origin): Packed {
  const below = places === undefined ? null : mapped(places, (place) => place.line - line);
  return absent ? [origin.line - line, values, below, 1] : [origin.line - line, values, below];
}

function unpacked([below, values, places, absent]: Packed, { file, line, pattern }: Origin): Declared {
  const originAt = (each: number): Origin => ({ file, line: line + each, ...(pattern !== undefined && { pattern }) });
  return {
    values,
    origin: originAt(below),
    ...(places !== null && { places: mapped(places, originAt) }),
    ...(absent && { absent: true }),
  };
}

/** `Object.entries` and `Object.fromEntries` take three times as long, which counts for very large files. */
function mapped<A, B>(from: Readonly<Record<string, A>>, make: (value: A) => B): Record<string, B> {
  const made: Record<string, B> = {};
  for (const name of Object.keys(from)) made[name] = make(from[name] as A);
  return made;
}
