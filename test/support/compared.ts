import type { Change, Declared, Kind, Live, Reference, Scope, Section, Values } from "../../src/state/kind.ts";
import { type CompareOptions, compareSection } from "../../src/state/live/compare.ts";
import { LiveList } from "../../src/state/live/live-list.ts";
import { type Comparison, compareWith } from "../../src/state/plan/live-comparison.ts";

// Changes of a plan, made from values alone: no file and no instance.

const scopes: Readonly<Record<Kind["at"], Scope>> = {
  instance: { at: "instance", name: "" },
  group: { at: "group", name: "acme" },
  project: { at: "project", name: "acme/storefront", id: 7 },
};

/** What a file declares of one object, in a line of its own. */
export function declared(values: Values, more: Partial<Declared> = {}): Declared {
  return { values, origin: { file: "state.yaml", line: 3 }, ...more };
}

/** `{ env: NAME }` or `{ file: path }` of a state file. */
export function reference(name: string, from: "env" | "file" = "env"): Reference {
  return { reference: from, name, origin: { file: "state.yaml", line: 3 }, folder: undefined };
}

export function sectionOf(kind: Kind, entries: readonly Declared[], more: Partial<Section> = {}): Section {
  return { scope: scopes[kind.at], kind, entries, origin: { file: "state.yaml", line: 2 }, ...more };
}

/** The comparison of one section with live objects; by default without `--prune`. */
export function compared(
  kind: Kind,
  entries: readonly Values[],
  live: readonly Values[],
  options: Partial<CompareOptions> = {},
) {
  const objects = live.map((values) => ({ values }));
  const section = sectionOf(
    kind,
    entries.map((values) => declared(values)),
  );
  return compareSection(section, objects, { ...plain, ...options });
}

export const plain: CompareOptions = {
  prune: false,
  secrets: "auto",
  caller: undefined,
  unknown: new Map(),
};

/** The only change from a live object (none: undefined) to a declared one (none: undefined). */
export function changeOf(
  kind: Kind,
  to: Values | Declared | undefined,
  from: Values | undefined,
  options: Partial<CompareOptions> = {},
): Change {
  const isWhole = (each: Values | Declared): each is Declared => "values" in each && "origin" in each;
  const entries = to === undefined ? [] : [isWhole(to) ? to : declared(to)];
  const live = from === undefined ? [] : [{ values: from }];
  const { changes } = compareSection(sectionOf(kind, entries), live, { ...plain, prune: true, ...options });
  const [change, another] = changes;
  if (change === undefined || another !== undefined) throw new Error(`${changes.length} changes, not one`);
  return change;
}

/** A change compared with the objects that its list has now. */
export function comparedWith(change: Change, all: readonly Live[]): Comparison {
  return compareWith(change, new LiveList(change.kind, all));
}

/** A change in a few words: `update Deploys: url, token (why)`. */
export function words({ action, key, write, reason }: Change): string {
  const what = [action, ...(key === "" ? [] : [key])].join(" ");
  const fields = write.length === 0 ? "" : `: ${write.join(", ")}`;
  return `${what}${fields}${reason === undefined ? "" : ` (${reason})`}`;
}
