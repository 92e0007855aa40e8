import type { AnyEndpoint } from "../api/endpoint.ts";
import type { Field, Fields } from "../api/field.ts";
import { memoized } from "../base/memo.ts";
import { capitalize } from "../base/wording.ts";
import type { Command, Group } from "./command.ts";

/** A flag, as typed and as described in help. */
export interface FlagDescription {
  /** The parameter it fills. */
  name: string;
  /** `--tags-count`. */
  long: string;
  /** `-L`. */
  short: string | undefined;
  /** `<n|all>`; undefined for a flag that takes no value. */
  placeholder: string | undefined;
  required: boolean;
  repeatable: boolean;
  negatable: boolean;
  field: Field;
}

/** The flags that a command takes, as help, completion, and the reference show them. */
export function describeFlags(fields: Fields): FlagDescription[] {
  return parsedFlags(fields)
    .filter(({ field }) => field.refused === undefined)
    .map((flag) => ({ ...flag, field: withForms(flag.field) }));
}

/** Required flags come first, then the scope, then the rest as declared. */
export function inHelpOrder(flags: readonly FlagDescription[]): FlagDescription[] {
  const rank = ({ required, field }: FlagDescription) =>
    required ? 0 : field.scope !== undefined || field.within !== undefined ? 1 : 2;
  return [...flags].sort((a, b) => rank(a) - rank(b));
}

/** The accepted forms of a time, added to the help of each flag that takes one; src/cli/time.ts parses them. */
const timeForms: Readonly<Record<string, string>> = {
  timestamp: "2026-01-31T08:00Z, 2026-01-31, 3h, 7d, yesterday; local time without a zone",
  date: "2026-01-31, 7d, yesterday",
};

function withForms(field: Field): Field {
  const forms = timeForms[field.kind];
  return forms === undefined ? field : { ...field, description: `${field.description} (${forms})` };
}

/** The same, and the flags that exist only to be refused with a reason. */
export const parsedFlags = memoized((fields: Fields): readonly FlagDescription[] => Object.entries(fields).map(flagOf));

function flagOf([name, field]: readonly [string, Field]): FlagDescription {
  return {
    name,
    long: `--${field.flag ?? name.replaceAll("_", "-")}`,
    short: field.short === undefined ? undefined : `-${field.short}`,
    placeholder: takesValue(field) ? `<${valueName(name, field)}>` : undefined,
    required: field.required && field.scope === undefined,
    repeatable: field.kind === "array" || field.kind === "map",
    negatable: field.negatable === true,
    field,
  };
}

/** `--limit <n|all>`, as in a usage line and in errors. */
export function flagUsage({ long, placeholder }: FlagDescription): string {
  return placeholder === undefined ? long : `${long} ${placeholder}`;
}

/** `-L, --limit <n|all>`, with `...` if it can be repeated. */
export function flagTerm(flag: FlagDescription): string {
  const long = flag.negatable ? `--[no-]${flag.long.slice(2)}` : flag.long;
  const value = flag.placeholder === undefined ? "" : ` ${flag.placeholder}${flag.repeatable ? "..." : ""}`;
  return `${flag.short === undefined ? "" : `${flag.short}, `}${long}${value}`;
}

/** `<user-id>`, `[name]`, `<tag...>`. */
export function argumentTerms(args: Fields): { name: string; term: string; field: Field }[] {
  return Object.entries(args).map(([name, field]) => {
    const label = `${valueName(name, field)}${field.kind === "array" ? "..." : ""}`;
    return { name, term: field.required ? `<${label}>` : `[${label}]`, field };
  });
}

/** `users get <id|username> [flags]`. */
export function usageLine(path: readonly string[], command: Command): string {
  const flags = describeFlags(command.params);
  const needed = flags.filter((flag) => flag.required).map(flagUsage);
  const parents = flags.filter((flag) => flag.field.within !== undefined).map(flagUsage);
  if (parents.length > 0) needed.unshift(`(${parents.join(" | ")})`);
  const args = argumentTerms(command.args).map(({ term }) => term);
  if (command.passThrough) return [...path, ...needed, "[flags]", "--", ...args].join(" ");
  return [...path, ...args, ...needed, "[flags]"].join(" ");
}

/** `scope read_user or api`. */
function scopesText(scopes: readonly string[]): string {
  return `scope ${scopes.join(" or ")}`;
}

/** A request with what it needs: for help, man pages, reference, and programs. */
export interface RequestEntry {
  method: string;
  path: string;
  base: string;
  summary: string;
  role: string | null;
  tier: string | null;
  hosting: string | null;
  /** The scopes of an access token that suffice, if the API documents name them. */
  scopes: readonly string[] | null;
  job_token: boolean;
  /** Whether the API documents have it; an instance may lack one that they have not. */
  documented: boolean;
}

export function requestEntry({ method, path, base, summary, access, beyond }: AnyEndpoint): RequestEntry {
  return {
    method,
    path,
    base,
    summary,
    role: access.role ?? null,
    tier: access.tier ?? null,
    hosting: access.hosting ?? null,
    scopes: access.scopes ?? null,
    job_token: access.jobToken ?? false,
    documented: !beyond,
  };
}

const bases: Readonly<Record<string, string>> = { instance: "{base_url}", registry: "{registry_url}" };

/** `GET {base_url}/jwt/auth`. */
export function requestText({ method, path, base }: RequestEntry): string {
  return `${method} ${bases[base] ?? ""}${path}`;
}

/** The tiers and the hosting that have a request, whether a job token may send it, and whether it is documented. */
export function placesOf({ tier, hosting, scopes, job_token: jobToken, documented }: RequestEntry): string[] {
  return [
    ...(tier === null ? [] : [tier === "premium" ? "Premium, Ultimate" : "Ultimate"]),
    ...(hosting === null ? [] : [hosting === "hosted" ? "hosted offering" : "self-managed"]),
    ...(scopes === null ? [] : [scopesText(scopes)]),
    ...(jobToken ? ["job token accepted"] : []),
    ...(documented ? [] : ["not in the API documents"]),
  ];
}

/** The role and the places. */
export function needsOf(request: RequestEntry): string[] {
  return [...(request.role === null ? [] : [capitalize(request.role)]), ...placesOf(request)];
}

/** `DELETE /projects/:project/artifacts (Maintainer; Premium, Ultimate)`. */
export function requestLine(endpoint: AnyEndpoint): string {
  const request = requestEntry(endpoint);
  const needs = needsOf(request);
  return `${requestText(request)}${needs.length === 0 ? "" : ` (${needs.join("; ")})`}`;
}

/** Every command below a group, with its path from the program's name on. */
export function* commandsIn(
  node: Command | Group,
  above: readonly string[] = [],
): Generator<{ path: string[]; command: Command }> {
  const path = [...above, node.name];
  if (node.kind === "command") yield { path, command: node };
  else for (const child of node.children) yield* commandsIn(child, path);
}

/** Entries below the heading of each, in the order of their first mention. */
export function byHeading<T extends { about: string }>(entries: readonly T[]): [heading: string, under: T[]][] {
  const headings = [...new Set(entries.map(({ about }) => about))];
  return headings.map((heading) => [heading, entries.filter(({ about }) => about === heading)]);
}

/** The command or the group of this name right below a node. */
export function childNamed(node: Command | Group, name: string | undefined): Command | Group | undefined {
  return node.kind === "group" ? node.children.find((child) => child.name === name) : undefined;
}

/** The node that words lead to, and how many of them do: the first word that names no child ends it. */
export function leadFrom(start: Command | Group, words: readonly string[]): { node: Command | Group; count: number } {
  let node = start;
  for (const [count, word] of words.entries()) {
    const next = childNamed(node, word);
    if (next === undefined) return { node, count };
    node = next;
  }
  return { node, count: words.length };
}

/** Whether a flag is followed by a value: booleans are not, unless they are `valued`. */
export function takesValue(field: Field): boolean {
  return field.kind !== "boolean" || field.valued === true;
}

function valueName(name: string, field: Field): string {
  if (field.placeholder !== undefined) return field.placeholder;
  if (field.item?.placeholder !== undefined) return field.item.placeholder;
  if (field.kind === "boolean") return "true|false";
  if (field.values !== undefined && field.values.join("|").length <= 40) return field.values.join("|");
  if (field.kind === "timestamp") return "time";
  if (field.kind === "date") return "date";
  return name.replaceAll("_", "-");
}
