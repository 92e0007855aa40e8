import type { FieldChange } from "../../src/state/kind.ts";
import type { PlanRow } from "../../src/state/plan/plan-row.ts";

/** A change of a field in a plan. */
export function field(path: string, from: unknown, to: unknown, more: Partial<FieldChange> = {}): FieldChange {
  return { path, from, to, secret: false, source: null, file: "state.yaml", line: 3, ...more };
}

/** A row of a plan: a change of the settings, unless more is said. */
export function row(more: Partial<PlanRow> = {}): PlanRow {
  return {
    address: "#settings",
    scope: null,
    kind: "settings",
    key: null,
    id: null,
    action: "update",
    fields: [],
    lockout: null,
    reason: null,
    preimage: null,
    file: "state.yaml",
    line: 3,
    ...more,
  };
}
