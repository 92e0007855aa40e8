import { exportEntry } from "../fields/export-value.ts";
import { sectionName } from "../keys.ts";
import type { Change } from "../kind.ts";
import { snapshot } from "../plan/live-comparison.ts";
import { dumpState } from "./dump.ts";

/** The current state of the objects that the changes affect, as a state file; objects to be created are left out. */
export async function dumpPreimage(instance: string, changes: readonly Change[]): Promise<string> {
  const scopes = new Map<string, { scope: Change["scope"]; sections: Record<string, unknown>; unreadable: [] }>();
  for (const change of changes) {
    const { scope } = change;
    const values = snapshot(change, change.live);
    if (values === null) continue;
    const id = `${scope.at}:${scope.name}`;
    const held = scopes.get(id) ?? { scope, sections: {}, unreadable: [] };
    scopes.set(id, held);
    place(held.sections, change, values);
  }
  return dumpState(instance, [...scopes.values()]);
}

function place(sections: Record<string, unknown>, change: Change, values: Record<string, unknown>): void {
  // The short form is of a whole object: `events` says of each event whether it is on.
  const kind = change.action === "update" ? { ...change.kind, condense: undefined } : change.kind;
  const inner = kind.within === undefined ? sections : outerOf(sections, kind.within);
  const name = sectionName(kind);
  if (kind.form === "list") {
    const entry = kind.target === undefined ? exportEntry(kind, values) : values.id;
    inner[name] = [...((inner[name] as unknown[] | undefined) ?? []), entry];
  } else {
    const whole = kind.at === "instance" ? values : exportEntry(kind, values);
    const held = inner[name];
    inner[name] = kind.bare === undefined ? { ...whole, ...(held as object) } : whole[kind.bare];
  }
}

function outerOf(sections: Record<string, unknown>, name: string): Record<string, unknown> {
  const outer = (sections[name] ?? {}) as Record<string, unknown>;
  sections[name] = outer;
  return outer;
}
