import type { Context } from "../../context.ts";
import { isBlob } from "../../transfer/git-blob.ts";
import { isLarge, keepsBreaks } from "./attributes.ts";
import { type Commit, type Facts, textOn } from "./location.ts";
import { pointerTo, sha256 } from "./pointer.ts";
import { withLineFeeds } from "./text.ts";

/**
 * How a file has the content of a write: as it was sent, or as the instance stores it. That is the `pointer` to it in
 * large file storage (lfs-stored-as-pointer), or with `lf` for CRLF (line-breaks-stored-as-lf).
 */
type StoredForm = "sent" | "pointer" | "lf";

/** Whether a file has the content of a write as it was sent, and its mode. */
export function hasContent(facts: Facts, commit: Commit): boolean {
  return commit.bytes !== undefined && has(facts, commit, commit.bytes);
}

/** Undefined if the file has another content: so is another form where `.gitattributes` does not lead to it. */
export async function formOf(
  context: Context,
  facts: Facts,
  commit: Commit,
  on = commit.branch,
): Promise<StoredForm | undefined> {
  const { bytes, project, file_path } = commit;
  if (bytes === undefined) return undefined;
  if (has(facts, commit, bytes)) return "sent";
  if (has(facts, commit, pointerTo(bytes))) {
    const rules = await textOn(context, { project, file_path: ".gitattributes" }, on);
    return isLarge(rules, file_path) ? "pointer" : undefined;
  }
  const text = withLineFeeds(bytes);
  if (text === undefined || !has(facts, commit, text)) return undefined;
  return (await mayKeepBreaks(context, commit, on)) ? undefined : "lf";
}

/**
 * Whether an instance may store CRLF as it is sent: the root's `.gitattributes` says so, or that of a folder on the
 * way, which not all releases look at.
 */
export async function mayKeepBreaks(
  context: Context,
  { project, file_path: path }: Pick<Commit, "project" | "file_path">,
  on: string,
): Promise<boolean> {
  for (const folder of ["", ...foldersOf(path)]) {
    const rules = await textOn(context, { project, file_path: `${folder}.gitattributes` }, on);
    if (keepsBreaks(rules, path.slice(folder.length))) return true;
  }
  return false;
}

/** `a/` and `a/b/` of `a/b/c`. */
function foldersOf(path: string): string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1));
}

/** Whether a write would change nothing. */
export async function isSame(context: Context, facts: Facts, commit: Commit, on = commit.branch): Promise<boolean> {
  return (await formOf(context, facts, commit, on)) !== undefined;
}

function has(facts: Facts, { execute_filemode: mode }: Commit, content: Uint8Array): boolean {
  if (facts === undefined || (mode !== undefined && mode !== facts.execute_filemode)) return false;
  const { size, blob_id: id, content_sha256: digest } = facts;
  // Of a text that is not UTF-8 the digest is the one of its conversion, the size its own (text-shown-converted).
  if (typeof size === "number" && size !== content.length) return false;
  if (digest?.toLowerCase() === sha256(content)) return true;
  return typeof id === "string" && typeof size === "number" && isBlob({ id, size }, content);
}
