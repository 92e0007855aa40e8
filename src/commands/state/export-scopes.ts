import { missing, UsageError } from "../../base/errors.ts";
import { isId } from "../../base/group-paths.ts";
import type { Context } from "../../context.ts";
import type { Scope } from "../../state/kind.ts";
import { groupsBelow, noticeLeftOut, projectsBelow } from "../../verbs/fleet.ts";
import { scopeNames } from "../../verbs/scope-names.ts";

interface Chosen {
  readonly scopes: readonly Scope[];
  /** The groups of which everything below is among the scopes. */
  readonly roots: readonly string[];
  /** How many projects and groups below them are not, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
}

interface Input {
  settings?: boolean | undefined;
  project?: readonly string[] | undefined;
  group?: readonly string[] | undefined;
  projects_file?: string | undefined;
  groups_file?: string | undefined;
  recursive?: boolean | undefined;
  compact?: boolean | undefined;
}

/** What an export is of, each scope once. */
export async function chooseScopes(context: Context, input: Input): Promise<Chosen> {
  const { settings, recursive = false, compact = false } = input;
  const groups = await scopeNames(context, input.group, input.groups_file, "group");
  const projects = await scopeNames(context, input.project, input.projects_file);
  if (recursive && groups.length === 0) {
    throw missing("-g, --group or --groups-file <file|->", { reason: "--recursive exports what is below a group" });
  }
  if (compact && !recursive) {
    throw new UsageError("--compact needs --recursive", {
      reason: "a pattern is for everything below a group",
      hint: "give -g <group> --recursive --compact",
    });
  }
  const below = recursive ? await everythingBelow(context, groups) : undefined;
  const number = compact ? below?.roots.find(isId) : undefined;
  if (number !== undefined) {
    throw new UsageError(`--compact: requests would read the path ${number} as the ID of another group`, {
      reason: "no pattern can begin with it",
      hint: "leave out --compact",
    });
  }
  const named = (at: "group" | "project", names: readonly string[]) => names.map((name): Scope => ({ at, name }));
  const scopes: Scope[] = [
    ...(settings ? [{ at: "instance" as const, name: "" }] : []),
    ...(below === undefined ? named("group", groups) : below.scopes.filter(({ at }) => at === "group")),
    ...(below?.scopes.filter(({ at }) => at === "project") ?? []),
    ...named("project", projects),
  ];
  if (scopes.length === 0) {
    throw missing("--settings, -g, --group, -p, --project, --groups-file <file|->, or --projects-file <file|->");
  }
  return { scopes: onceEach(scopes), roots: below?.roots ?? [], leftOut: below?.leftOut ?? {} };
}

/** The groups themselves, and what is below them, by their full paths. */
async function everythingBelow(context: Context, groups: readonly string[]): Promise<Chosen> {
  const scopes: Scope[] = [];
  const roots: string[] = [];
  const leftOut: Record<string, number> = {};
  for (const name of groups) {
    const [inner, fleet] = [await groupsBelow(context, name), await projectsBelow(context, name)];
    roots.push(inner.path);
    scopes.push({ at: "group", name: inner.group });
    for (const { id, path } of inner.scopes) scopes.push({ at: "group", name: path, id });
    for (const { id, path } of fleet.scopes) scopes.push({ at: "project", name: path, id });
    for (const each of [inner, fleet]) {
      noticeLeftOut(context, each);
      for (const [why, count] of Object.entries(each.leftOut)) leftOut[why] = (leftOut[why] ?? 0) + count;
    }
  }
  return { scopes, roots, leftOut };
}

/** A group that is given with one above it is below that one too. */
function onceEach(scopes: readonly Scope[]): Scope[] {
  const found = new Map<string, Scope>();
  for (const scope of scopes) {
    const key = `${scope.at}:${scope.name.toLowerCase()}`;
    if (!found.has(key)) found.set(key, scope);
  }
  return [...found.values()];
}
