import { type Block, covers } from "../block.ts";
import type { At, Kind, Scope, Section } from "../kind.ts";
import { compare, matches } from "../pattern.ts";

/** The sections of one kind that apply to one scope, the most specific first. */
export type Layers = ReadonlyMap<Kind, readonly Section[]>;

/** What the files declare, by scope and by pattern. */
export class Declared {
  readonly #exact = new Map<string, Section[]>();
  readonly #wide = new Map<Block, Section[]>();
  /** The blocks by what their pattern begins with: few of them can be for a path. */
  readonly #beginnings = new Map<string, Block[]>();
  /** The lengths of these beginnings, the shortest first. */
  readonly #lengths: readonly number[];

  constructor(sections: Iterable<Section>) {
    for (const section of sections) {
      const { scope, block } = section;
      if (block !== undefined) {
        if (!this.#wide.has(block)) put(this.#beginnings, keyOf(block.at, block.pattern.literal), block);
        put(this.#wide, block, section);
      } else put(this.#exact, keyOf(scope.at, scope.name), section);
    }
    const lengths = new Set([...this.#wide.keys()].map(({ pattern }) => pattern.literal.length));
    this.#lengths = [...lengths].sort((a, b) => a - b);
  }

  /** The pattern blocks of groups or of projects. */
  blocks(at: At): Block[] {
    return [...this.#wide.keys()].filter((block) => block.at === at);
  }

  sectionsOf(block: Block): readonly Section[] {
    return this.#wide.get(block) ?? [];
  }

  /** The scopes that are named themselves, each once. */
  scopes(): Scope[] {
    return [...this.#exact.values()].flatMap(([first]) => (first === undefined ? [] : [first.scope]));
  }

  exact(at: At, name: string): readonly Section[] {
    return this.#exact.get(keyOf(at, name)) ?? [];
  }

  /** The sections for a path, which the files may also name by its ID. */
  layers(at: At, path: string, exact: readonly Section[] = this.exact(at, path)): Layers {
    const layers = new Map<Kind, Section[]>();
    for (const section of exact) put(layers, section.kind, section);
    const wide = new Map<Kind, Section[]>();
    for (const block of this.near(at, path)) {
      if (!covers(block, path)) continue;
      for (const section of this.sectionsOf(block)) put(wide, section.kind, section);
    }
    for (const [kind, sections] of wide) put(layers, kind, ...inOrder(sections));
    return layers;
  }

  /** Whether a pattern matches a path, also one that it leaves out. */
  isMatched(at: At, path: string): boolean {
    for (const { pattern } of this.near(at, path)) if (matches(pattern, path)) return true;
    return false;
  }

  /** The blocks of patterns that begin as a path does. */
  *near(at: At, path: string): Generator<Block> {
    const lower = path.toLowerCase();
    for (const length of this.#lengths) {
      if (length > lower.length) return;
      yield* this.#beginnings.get(keyOf(at, lower.slice(0, length))) ?? [];
    }
  }
}

/** The one section of a scope itself, if it is put together with nothing: its declaration is the effective one. */
export function standingAlone(layers: readonly Section[]): Section | undefined {
  const [only, next] = layers;
  return next === undefined && only?.block === undefined && !only?.inherits ? only : undefined;
}

/** The most specific first. Patterns of equal right are in any order: they declare nothing in common. */
export function inOrder<T extends Section>(sections: readonly T[]): T[] {
  return sections.toSorted((a, b) => (a.block && b.block ? compare(a.block.pattern, b.block.pattern) : 0));
}

function keyOf(at: At, name: string): string {
  return `${at}:${name.toLowerCase()}`;
}

function put<K, V>(map: Map<K, V[]>, key: K, ...values: V[]): void {
  const held = map.get(key);
  if (held === undefined) map.set(key, [...values]);
  else held.push(...values);
}
