import { type Change, fieldOf } from "../kind.ts";
import { isRemoval } from "../plan/plan.ts";
import { addressOfChange } from "../plan/plan-row.ts";
import type { RunEntry } from "../runs/runs.ts";

// What a rollback says of its changes besides their rows.

/** A planned change, and the entry of the run that it takes back. */
export interface Matched {
  readonly change: Change;
  readonly entry: RunEntry;
}

/** The addresses of the objects that are created again, by what is not restored of them. */
export function createdAgain(
  changes: readonly Matched[],
  lacks: (each: Matched) => string | undefined,
): Map<string, string[]> {
  return addressesBy(
    changes.filter(({ change }) => change.action === "create"),
    lacks,
  );
}

/** The addresses of what is removed although a change of it since the run would not be seen, by the fields. */
export function uncompared(changes: readonly Matched[]): Map<string, string[]> {
  return addressesBy(
    changes.filter(({ change }) => isRemoval(change)),
    ({ change, entry: { hidden = [] } }) => {
      const shown = hidden.filter((name) => fieldOf(change.kind, name).writeOnly !== true);
      return shown.length === 0 ? undefined : [...new Set(shown)].join(", ");
    },
  );
}

function addressesBy(changes: readonly Matched[], by: (each: Matched) => string | undefined): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const each of changes) {
    const what = by(each);
    if (what !== undefined) found.set(what, [...(found.get(what) ?? []), addressOfChange(each.change)]);
  }
  return found;
}
