import { compareTexts } from "../../base/compare-texts.ts";
import { groupsAbove, isId, isPossiblePath } from "../../base/group-paths.ts";

/** A project or a group on the allowlists of a project. */
export interface Allowed {
  readonly kind: "project" | "group";
  readonly id: number;
  /** Full path; undefined if it is not visible: it is then left alone. */
  readonly path: string | undefined;
  /** A personal project is not in a group. */
  readonly personal?: boolean;
}

export interface Compaction {
  /** Paths of the groups to add, the fewest that each cover at least `atLeast` entries. */
  readonly add: readonly string[];
  /** The entries that a group covers, which are no longer needed. */
  readonly remove: readonly { readonly entry: Allowed; readonly by: string }[];
}

/**
 * Replaces entries of allowlists with groups that contain them. Of several groups that cover the same entries the
 * deepest is taken, since it admits the fewest other projects.
 *
 * @param listed the present entries
 * @param atLeast the fewest entries that a new group covers
 * @param excluded paths of groups that are not added
 */
export function compact(listed: readonly Allowed[], atLeast: number, excluded: readonly string[]): Compaction {
  const entries = listed.filter(({ path = "" }) => isPossiblePath(path));
  const present = entries.flatMap(({ kind, path }) => (kind === "group" && path !== undefined ? [path] : []));
  const isPresent = setOf(present);
  const excludedKeys = setOf(excluded);
  // It could not be looked up: its path would be read as an ID.
  const isExcluded = (key: string) => isId(key) || excludedKeys.has(key);
  const { tops, below } = treeOf(entries);
  const add: string[] = [];
  const visit = (group: Group) => {
    if (isPresent.has(group.key)) return;
    const children = below.get(group.key) ?? [];
    // A child that covers the same entries admits no more than its parent.
    const same = children.find((child) => child.covers === group.covers && !isExcluded(child.key));
    if (same !== undefined) visit(same);
    else if (group.covers >= atLeast && !isExcluded(group.key)) add.push(group.path);
    else for (const child of children) visit(child);
  };
  for (const group of tops) visit(group);
  const orderOf = new Map<string, number>();
  const groups = [...add, ...present];
  for (const [index, group] of groups.entries()) {
    const key = group.toLowerCase();
    if (!orderOf.has(key)) orderOf.set(key, index);
  }
  const remove = entries.flatMap((entry) => {
    const { path, personal } = entry;
    if (path === undefined || personal === true) return [];
    let first = groups.length;
    for (const group of groupsAbove(path)) first = Math.min(first, orderOf.get(group.toLowerCase()) ?? first);
    const by = groups[first];
    return by === undefined ? [] : [{ entry, by }];
  });
  return { add, remove };
}

interface Group {
  readonly path: string;
  /** The path in lower case. */
  readonly key: string;
  /** The number of entries below it. */
  covers: number;
}

/** The groups above all entries, each once, in order of their paths: those at the top, and those in each other. */
function treeOf(entries: readonly Allowed[]) {
  const found = new Map<string, Group>();
  for (const { path, personal } of entries) {
    if (path === undefined || personal === true) continue;
    for (const group of groupsAbove(path)) {
      const key = group.toLowerCase();
      const known = found.get(key);
      if (known === undefined) found.set(key, { path: group, key, covers: 1 });
      else known.covers += 1;
    }
  }
  const tops: Group[] = [];
  const below = new Map<string, Group[]>();
  for (const group of [...found.values()].sort((a, b) => compareTexts(a.path, b.path))) {
    const slash = group.key.lastIndexOf("/");
    const parent = group.key.slice(0, Math.max(0, slash));
    const siblings = slash < 0 ? tops : (below.get(parent) ?? []);
    siblings.push(group);
    if (slash >= 0) below.set(parent, siblings);
  }
  return { tops, below };
}

function setOf(paths: readonly string[]): ReadonlySet<string> {
  return new Set(paths.map((path) => path.toLowerCase()));
}

/** Whether the job tokens of a project have access by these entries. */
export function accessBy(entries: readonly Allowed[]): (project: string) => boolean {
  const pathsOf = (kind: Allowed["kind"]) =>
    setOf(entries.flatMap((entry) => (entry.kind === kind && entry.path !== undefined ? [entry.path] : [])));
  const projects = pathsOf("project");
  const groups = pathsOf("group");
  return (project) => {
    const path = project.toLowerCase();
    return projects.has(path) || [...groupsAbove(path)].some((group) => groups.has(group));
  };
}
