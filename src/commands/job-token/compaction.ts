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

/** Whether a project or a group is below a group, at any depth. Paths ignore case. */
export function isBelow(path: string, group: string): boolean {
  return path.toLowerCase().startsWith(`${group.toLowerCase()}/`);
}

/** No path of the platform is longer: one that is, with a group for each of its slashes, is left alone. */
const maxPath = 1000;

/**
 * Replaces entries of allowlists with groups that contain them. Of several groups that cover the same entries the
 * deepest is taken, since it admits the fewest other projects.
 *
 * @param listed the present entries
 * @param atLeast the fewest entries that a new group covers
 * @param excluded paths of groups that are not added
 */
export function compact(listed: readonly Allowed[], atLeast: number, excluded: readonly string[]): Compaction {
  const entries = listed.filter(({ path = "" }) => path.length <= maxPath);
  const present = entries.flatMap(({ kind, path }) => (kind === "group" && path !== undefined ? [path] : []));
  const covers = (group: string) =>
    entries.filter(({ path, personal }) => path !== undefined && personal !== true && isBelow(path, group));
  const isOneOf = (group: string, paths: readonly string[]) =>
    paths.some((path) => path.toLowerCase() === group.toLowerCase());
  const candidates = candidatesOf(entries);
  const add: string[] = [];
  const visit = (group: string) => {
    if (isOneOf(group, present)) return;
    const children = candidates.filter((each) => isChild(each, group));
    const count = covers(group).length;
    // A child that covers the same entries admits no more than its parent.
    const same = children.find((child) => covers(child).length === count && !isOneOf(child, excluded));
    if (same !== undefined) visit(same);
    else if (count >= atLeast && !isOneOf(group, excluded)) add.push(group);
    else for (const child of children) visit(child);
  };
  for (const group of candidates) if (!group.includes("/")) visit(group);
  const groups = [...add, ...present];
  const remove = entries.flatMap((entry) => {
    const { path, personal } = entry;
    if (path === undefined || personal === true) return [];
    const by = groups.find((group) => isBelow(path, group));
    return by === undefined ? [] : [{ entry, by }];
  });
  return { add, remove };
}

/** The groups above all entries, each once. */
function candidatesOf(entries: readonly Allowed[]): string[] {
  const found = new Map<string, string>();
  for (const { path, personal } of entries) {
    if (path === undefined || personal === true) continue;
    const parts = path.split("/");
    for (let depth = 1; depth < parts.length; depth++) {
      const group = parts.slice(0, depth).join("/");
      if (!found.has(group.toLowerCase())) found.set(group.toLowerCase(), group);
    }
  }
  return [...found.values()].sort();
}

function isChild(path: string, group: string): boolean {
  return isBelow(path, group) && !path.slice(group.length + 1).includes("/");
}

/** Whether the job tokens of a project have access by these entries. */
export function hasAccess(project: string, entries: readonly Allowed[]): boolean {
  return entries.some(({ kind, path }) => {
    if (path === undefined) return false;
    return kind === "group" ? isBelow(project, path) : path.toLowerCase() === project.toLowerCase();
  });
}
