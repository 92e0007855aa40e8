import type { Section } from "./kind.ts";
import { refuseTwice, type SectionPlace } from "./patterns/expand.ts";

/** Where the files declare each object, to find one that they name in two ways. What they declare is not kept. */
export class DeclaredPlaces {
  readonly #seen = new Map<string, SectionPlace>();

  /** @throws UsageError if another section is for the same list or record */
  add({ scope, kind, origin }: Section): void {
    if (scope.id === undefined) return;
    const place = { scope, kind, origin };
    const key = `${scope.at}:${scope.id}#${kind.name}`;
    const first = this.#seen.get(key);
    this.#seen.set(key, place);
    if (first === undefined || first.scope.name === scope.name) return;
    refuseTwice(first, place);
  }
}
