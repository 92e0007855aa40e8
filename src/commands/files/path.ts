import { project } from "../../api/endpoints/scope.ts";
import { required, string } from "../../api/field.ts";

/** A path that the platform accepts; with `/../` in it a commit would fail (`1-project-api: Repository files`). */
const path = string("Path of the file from the repository's root", {
  placeholder: "path",
  pattern: {
    test: /^(?!(?:.*\/)?\.{0,2}(?:\/|$))/s,
    words: "a path from the repository's root, without a leading slash, empty segments, . and ..",
  },
});

export const pathArgument = { path: required(path) };
/** The same, under the routes' name. */
export const filePath = { file_path: path };
export const projectFlag = { project: required(project) };
/** `--ref`, for endpoints that require it. */
export const refFlag = { ref: required(string("Branch, tag, or commit", { placeholder: "ref", min: 1 })) };
