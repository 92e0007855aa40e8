import { FileError, UsageError } from "../base/errors.ts";
import { commandLine } from "../base/shell-words.ts";
import type { Doubt, Files, PrivateFile } from "../host.ts";

// Files that are believed: what they say is run, or counts as done. They must be this user's alone, which is checked
// through the handle that is then read.

const doubts: Record<Doubt, { is: string; hint: (path: string) => string }> = {
  link: { is: "is a link, or has several names", hint: () => "put the file itself in its place" },
  kind: { is: "is not a file", hint: () => "move it away" },
  owner: { is: "belongs to another user", hint: () => "check who wrote it; then make a copy of your own in its place" },
  open: { is: "can be read or written by others", hint: closing },
  writable: { is: "can be written by others", hint: closing },
};

function closing(path: string): string {
  return `check what is in it, then: ${commandLine(["chmod", "600", path])}`;
}

/** @param what what the file is, as the subject of a sentence: `a journal` */
export function notOwn(path: string, doubt: Doubt, what: string): UsageError {
  const { is, hint } = doubts[doubt];
  return new UsageError(`${path} ${is}`, {
    code: "not_own_file",
    reason: `${what} must be a private file of this user`,
    hint: hint(path),
  });
}

/** A configuration was found that another user may have written. */
export function foreignFile(path: string, doubt: Doubt): UsageError {
  const { is, hint } = doubts[doubt];
  return new UsageError(`${path} ${is}`, {
    code: "not_own_file",
    reason: "a configuration that is found by itself must be written by this user or root alone",
    hint: `${hint(path)}; or name its folder with FORGECTL_CONFIG_DIR`,
  });
}

/**
 * Another user made a folder, or a link to one, on the way to a folder that was found by itself.
 *
 * @param what what is in that folder
 * @param variable names that folder
 */
export function foreignFolder(part: string, what: string, variable: string): UsageError {
  return new UsageError(`${part} belongs to another user`, {
    code: "not_own_file",
    reason: `the folder of ${what}, and what leads to it, must be this user's or root's unless it was named`,
    hint: `check who made it, and what it leads to; then remove it, or name the folder with ${variable}`,
  });
}

/** The text of a file that is believed; undefined if it does not exist, a UsageError if it is not this user's alone. */
export async function readOwnText(files: Files, path: string, what: string): Promise<string | undefined> {
  try {
    const { bytes, doubt } = await files.readOwn(path);
    if (doubt !== undefined) throw notOwn(path, doubt, what);
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof FileError && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
    throw error;
  }
}

/** Opens such a file for reading, appending, and cutting; undefined if it does not exist. */
export async function openOwnFile(files: Files, path: string, what: string): Promise<PrivateFile | undefined> {
  const file = await files.openOwn(path);
  if (typeof file === "string") throw notOwn(path, file, what);
  return file;
}
