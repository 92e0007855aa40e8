import { project } from "../../api/endpoints/scope.ts";
import { required, string } from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";

export const pathArgument = { path: required(string("Path of the file from the top of the repository")) };
export const projectFlag = { project: required(project) };
/** `--ref`, where the API needs one. */
export const refFlag = { ref: required(string("Branch, tag, or commit", { placeholder: "ref", min: 1 })) };

/** A path that the platform can take; with `/../` in it a commit would fail (`1-project-api: Repository files`). */
export function checkPath(path: string): string {
  const segments = path.split("/");
  if (!segments.some((segment) => segment === "" || segment === "." || segment === "..")) return path;
  throw new UsageError(`"${path}" is not a path of a repository`, {
    reason: "it starts at the top of the repository, without a leading slash, empty parts, . and ..",
  });
}
