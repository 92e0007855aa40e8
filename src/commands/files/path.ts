import { project } from "../../api/endpoints/scope.ts";
import { required, string } from "../../api/field.ts";
import { refOf } from "./location.ts";

/** A path that the platform accepts; with `/../` in it a commit would fail (`1-project-api: Repository files`). */
const path = string("Path of the file from the repository's root", {
  placeholder: "path",
  relative: true,
  pattern: {
    test: /^(?!(?:.*\/)?\.{0,2}(?:\/|$))/s,
    words: "a path from the repository's root, without a leading slash, empty segments, . and ..",
  },
});

export const pathArgument = { path: required(path) };
/** The same, under the routes' name. */
export const filePath = { file_path: path };
export const projectFlag = { project: required(project) };
/** Where an undo line puts a file: one command after the other, since of a pipe the second runs if the first fails. */
const kept = "forgectl-undo.tmp";

/** The state before a commit: that of its branch. */
export function readingBranch({ branch }: Readonly<Record<string, unknown>>): { ref: string } {
  return { ref: refOf(String(branch)) };
}

/**
 * Commits what the file was at its previous last commit, which the repository keeps. What is in large file storage is
 * committed as its content, since instances store it there again: the pointer would become content
 * (lfs-stored-as-pointer).
 *
 * @param verb how it is committed
 */
export function restoring(verb: "put" | "create"): string {
  const words = "{path} -p {project} -b {branch} -m 'Restore {path}'";
  const mode = "[{before.execute_filemode|--executable|--no-executable}]";
  const load = `files download {path} -p {project} --ref {before.last_commit_id} --lfs -O ${kept}`;
  return `${load} && files ${verb} ${words} --from ${kept} ${mode}`;
}

/** `--ref`, for endpoints that require it. */
export const refFlag = { ref: required(string("Branch, tag, or commit", { placeholder: "ref", min: 1 })) };
