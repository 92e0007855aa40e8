import type { Scope, Section } from "../kind.ts";
import { refuseTwice, type SectionPlace } from "../patterns/expand.ts";

/** A scope under one of its names, and what the files declare under it. */
interface Named {
  readonly scope: Scope;
  readonly sections: Pick<SectionPlace, "kind" | "origin">[];
}

/** Where the files declare each object, to find one that they name in two ways. What they declare is not kept. */
export class DeclaredPlaces {
  /** By the scope's ID; nearly always with one name. */
  readonly #seen = new Map<string, Named[]>();

  /** @throws UsageError if another section is for the same list or record */
  add({ scope, kind, origin }: Section): void {
    if (scope.id === undefined) return;
    const key = `${scope.at}:${scope.id}`;
    const names = this.#seen.get(key) ?? [];
    this.#seen.set(key, names);
    for (const other of names.filter((each) => each.scope.name !== scope.name)) {
      const first = other.sections.find((each) => each.kind === kind);
      if (first !== undefined) refuseTwice({ ...first, scope: other.scope }, { scope, kind, origin });
    }
    const own = names.find((each) => each.scope.name === scope.name);
    if (own === undefined) names.push({ scope, sections: [{ kind, origin }] });
    else own.sections.push({ kind, origin });
  }
}
