import { findKind } from "../kinds/index.ts";
import type { Run, RunEntry } from "../runs/runs.ts";

/** What a rollback cannot read or restore, and why. */
export interface Unreadable {
  readonly address: string;
  readonly action: string;
  readonly reason: string;
}

/** What this version cannot roll back: entries of kinds that it does not know, and damaged lines. */
export function unreadableIn({ damaged }: Run, changed: readonly RunEntry[]): Unreadable[] {
  const unknown = changed.filter(({ kind }) => findKind(kind) === undefined);
  return [
    ...unknown.map(({ address, action, kind }) => ({
      address,
      action,
      reason: `this version does not know the kind ${kind}`,
    })),
    ...damaged.map((line) => ({
      address: `line ${line}`,
      action: "unreadable",
      reason: "the journal of the run is damaged there",
    })),
  ];
}
