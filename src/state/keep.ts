import { fitsAny, tooManyAlike } from "../base/globs.ts";
import { isGiven, tiedKey } from "./keys.ts";
import type { Kind, Values } from "./kind.ts";

/** Entries that are never pruned: patterns of names (see `globOf`) by kind. */
export type Keep = ReadonlyMap<Kind, ReadonlySet<string>>;

/** Whether an entry is never removed. */
export type Keeper = (live: Values) => boolean;

/** An entry is kept if a pattern fits one of its names. */
export function keeperOf(kind: Kind, patterns: Iterable<string>): Keeper {
  const fits = fitsAny(Array.from(patterns, (each) => comparedText(kind, each)));
  return (live) => namesOf(kind, live).some((name) => fits(comparedText(kind, name)));
}

/** Why the patterns cannot be compared with lists of any length. */
export function tooManyKept(kind: Kind, patterns: Iterable<string>): string | undefined {
  return tooManyAlike(Array.from(patterns, (each) => comparedText(kind, each)));
}

/** Paths have no case, as everywhere in a state file; names have. */
function comparedText({ target }: Kind, text: string): string {
  return target === undefined ? text : text.toLowerCase();
}

/** Every name of an entry: its ID, its path, its keys, alone and together, and its address. */
function namesOf(kind: Kind, live: Values): string[] {
  const { id, path_with_namespace, full_path, web_url } = live;
  const keys = [...kind.keys.flat(), kind.tie].flatMap((name) => (name === undefined ? [] : [live[name]]));
  const joined = kind.keys.map((names) => names.map((name) => live[name])).filter((values) => values.every(isGiven));
  const own = [id, path_with_namespace, full_path, groupPath(web_url), ...keys].filter(isGiven).map(String);
  return [...new Set([...own, ...joined.map((values) => values.join("/")), tiedKey(kind, live)])];
}

/** The path of a group in its address. Lists of groups may have no other path: `https://forge.example.com/groups/acme/mobile`. */
export function groupPath(address: unknown): string | undefined {
  return typeof address === "string" ? /\/groups\/(.+)$/s.exec(address.split(/[?#]/).at(-1) ?? "")?.[1] : undefined;
}

/** Why a pattern can match no entry of the kind; undefined if it can. */
export function keepProblem(kind: Kind, pattern: string): string | undefined {
  if (kind.target !== "project" || pattern.includes("/") || pattern.includes("**") || /^[\d*]+$/.test(pattern)) {
    return undefined;
  }
  return `"${pattern}" can match no ${kind.target}: give an ID, or a path such as acme/${pattern}`;
}
