import { UsageError } from "../../base/errors.ts";
import { globOf } from "../../base/glob.ts";
import type { Context } from "../../context.ts";
import { placeName } from "../../declare/place-name.ts";
import { type Fleet, type FleetScope, groupsBelow, noticeLeftOut, projectsBelow } from "../../verbs/fleet.ts";
import { namesInFile, namesNone, placeNames } from "../../verbs/scope-names.ts";

export type ScopeKind = "project" | "group";

/** Where the names come from, as typed. */
export interface SourceFlags {
  readonly projects_file?: string | undefined;
  readonly groups_file?: string | undefined;
  readonly projects_of?: string | undefined;
  readonly groups_of?: string | undefined;
  readonly match?: string | undefined;
  readonly archived?: boolean | undefined;
}

/** A project or a group: as typed, or as the instance lists it. */
export interface Named {
  readonly name: string;
  /** Known of those that the instance lists, and of those that were looked up. */
  readonly id?: number | undefined;
  /** The full path, if the name is not. */
  readonly path?: string;
}

export interface Source {
  readonly kind: ScopeKind;
  /** The flag that was given, and its value. */
  readonly words: readonly [flag: string, value: string];
  /** The names on one instance; those of a file are the same on each. A change refuses a group's earlier path. */
  names(context: Context, isToChange: boolean): Promise<{ names: readonly Named[]; isInPart?: true }>;
}

const flagNames = ["projects_file", "groups_file", "projects_of", "groups_of"] as const;

/** Undefined if none was given. */
export function sourceOf(context: Context, flags: SourceFlags): Source | undefined {
  const given = flagNames.filter((name) => flags[name] !== undefined);
  const [name, second] = given;
  if (second !== undefined) throw new UsageError(`give only one of ${given.map(flagOf).join(" and ")}`);
  if (flags.archived && name !== "projects_of") throw new UsageError("--archived needs --projects-of");
  if (name === undefined) {
    if (flags.match !== undefined) throw new UsageError("--match needs a list, or a group");
    return undefined;
  }
  const value = flags[name] as string;
  const kind = name.startsWith("projects") ? "project" : "group";
  let written: Promise<readonly string[]> | undefined;
  return {
    kind,
    words: [flagOf(name), value],
    names: async (own, isToChange) => {
      if (name === "projects_of" || name === "groups_of") {
        const group = placeName(value, "group", flagOf(name), own.config, isToChange);
        const below = await fleetBelow(own, kind, group, flags);
        return { names: listed(own, kind, below, flags), ...(!below.isWhole && { isInPart: true }) };
      }
      // Read once: stdin has it only once.
      written ??= namesInFile(context, value, kind);
      const names = placeNames(own, await written, kind, { source: value, isToChange });
      return { names: inFile(names, kind, value, flags.match) };
    },
  };
}

export function flagOf(name: string): string {
  return `--${name.replaceAll("_", "-")}`;
}

function inFile(names: readonly string[], kind: ScopeKind, source: string, match?: string): readonly Named[] {
  if (names.length === 0) throw namesNone(source, kind);
  const id = names.find((name) => /^\d+$/.test(name));
  if (match !== undefined && id !== undefined) {
    throw new UsageError(`--match compares paths, and ${id} is an ID`, { hint: "write the path in its place" });
  }
  return matching(
    names.map((name) => ({ name })),
    kind,
    match,
  );
}

function fleetBelow(context: Context, kind: ScopeKind, group: string, { archived }: SourceFlags): Promise<Fleet> {
  return kind === "project" ? projectsBelow(context, group, { archived }) : groupsBelow(context, group);
}

/** Those below a group, at any depth; `--groups-of` has the group itself too. What is left out is reported. */
function listed(context: Context, kind: ScopeKind, below: Fleet, { match }: SourceFlags): readonly Named[] {
  noticeLeftOut(context, below);
  const found = below.scopes.map(namedOf);
  const all = kind === "project" ? found : [{ name: below.group, path: below.path }, ...found];
  if (all.length === 0) context.notice(`${below.path} has no ${kind}s to do this for`);
  return all.length === 0 ? all : matching(all, kind, match);
}

function namedOf({ id, path }: FleetScope): Named {
  return { name: path, id };
}

function matching(all: readonly Named[], kind: ScopeKind, match: string | undefined): readonly Named[] {
  if (match === undefined) return all;
  const matches = globOf(match.toLowerCase());
  const some = all.filter(({ name, path = name }) => matches(path.toLowerCase()));
  if (some.length === 0) throw new UsageError(`--match ${match}: none of ${all.length} ${kind}s matches`);
  return some;
}
