import { array, string } from "../api/field.ts";
import { missing, UsageError } from "../base/errors.ts";
import type { Context } from "../context.ts";
import { placeName } from "../declare/place-name.ts";
import { readTextSource } from "../transfer/source.ts";

/** Repeatable `-p`, for commands on many projects. It has no default. */
export const manyProjects = array(string("", { placeholder: "id|path" }), "This project", { short: "p" });

type ScopeNoun = "project" | "group";

/** A file of scopes: one ID or path per line. */
export function scopeFile(of: ScopeNoun) {
  return string(`File with one ${of} per line, by ID or path; - is stdin`, {
    placeholder: "file|-",
    completes: "file",
  });
}

/**
 * The scopes given and those of a file (`-` is stdin), without duplicates, as requests name them: `acme/docs`,
 * `acme/docs/`, and the address of one of its pages are one.
 */
export async function scopeNames(
  context: Context,
  typed: readonly string[] = [],
  source: string | undefined = undefined,
  of: ScopeNoun = "project",
): Promise<string[]> {
  const written = source === undefined ? [] : await namesInFile(context, source, of);
  return [...new Set([...placeNames(context, typed, of), ...placeNames(context, written, of, { source })])];
}

/**
 * Names as requests on this context's instance have them, without duplicates.
 *
 * @param how.source the file that they are written in
 * @param how.isToChange for a command that changes something: see `placeName`
 */
export function placeNames(
  { config }: Pick<Context, "config">,
  written: readonly string[],
  of: ScopeNoun,
  { source, isToChange = false }: { readonly source?: string | undefined; readonly isToChange?: boolean } = {},
): string[] {
  const label = source === undefined ? `--${of}` : called(source);
  return [...new Set(written.map((name) => placeName(name, of, label, config, isToChange)))];
}

/**
 * The names in a file (`-` is stdin), as written. Comments (`#`) and blank lines are skipped; a line that contains a
 * space or a control character is a UsageError that names it. So is a file without any text, as a command that failed
 * leaves it: what it should have named would be left out of what else is given.
 */
export async function namesInFile(context: Context, source: string, of: ScopeNoun): Promise<string[]> {
  const text = (await readTextSource(context, source)).replace(/^\uFEFF/, "");
  if (text.trim() === "") throw namesNone(source, of);
  const listed = text.split(/\r?\n/).map((line) => line.trim());
  const names = listed.filter((line) => line !== "" && !line.startsWith("#"));
  const quoted = names.find((name) => /["'`]/.test(name));
  if (quoted !== undefined) {
    throw new UsageError(`${source}:${listed.indexOf(quoted) + 1}: ${quoted} is quoted`, {
      hint: "write the ID or the path alone",
    });
  }
  const odd = names.find((name) => /[\s\p{Cc}]/u.test(name));
  if (odd !== undefined) {
    throw new UsageError(`${source}:${listed.indexOf(odd) + 1}: "${odd}" is neither an ID nor a path`, {
      hint: "write one ID or path per line",
    });
  }
  return names;
}

/** The same; at least one is required. */
export async function requireProjects(
  context: Context,
  typed: readonly string[] | undefined,
  source: string | undefined,
) {
  const names = await scopeNames(context, typed, source);
  if (names.length > 0) return names;
  if (source !== undefined) throw namesNone(source, "project");
  throw missing("-p, --project or --projects-file <file|->", {
    hint: "give -p <id|path>..., or --projects-file <file|->; audits take -g <group> too",
  });
}

/** The error for a file of scopes that names none. */
export function namesNone(source: string, of: ScopeNoun): UsageError {
  return new UsageError(`${called(source)} names no ${of}`);
}

function called(source: string): string {
  return source === "-" ? "stdin" : source;
}
