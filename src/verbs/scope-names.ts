import { array, string } from "../api/field.ts";
import { missing, UsageError } from "../base/errors.ts";
import type { Context } from "../context.ts";
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
 * The scopes given and those of a file (`-` is stdin), without duplicates. Comments (`#`) and blank lines of a file are
 * skipped; a line that contains a space or a control character is a UsageError that names it. So is a file without any
 * text, as a command that failed leaves it: what it should have named would be left out of what else is given.
 */
export async function scopeNames(
  context: Context,
  typed: readonly string[] = [],
  source: string | undefined = undefined,
  of: ScopeNoun = "project",
): Promise<string[]> {
  const text = source === undefined ? "" : (await readTextSource(context, source)).replace(/^\uFEFF/, "");
  if (source !== undefined && text.trim() === "") throw namesNone(source, of);
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
  return [...new Set([...typed, ...names])];
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
  return new UsageError(`${source === "-" ? "stdin" : source} names no ${of}`);
}
