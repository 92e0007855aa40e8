import { readPlace } from "../api/place.ts";
import { Failure } from "../base/errors.ts";
import { isId, nameInRequests } from "../base/group-paths.ts";
import { commandLine } from "../base/shell-words.ts";
import type { Context } from "../context.ts";

/** Adds the new path to the error of a change that an instance redirected because its project or group has moved. */
export async function withNewPath(
  { verifier }: Pick<Context, "verifier">,
  error: Failure,
  { project, group }: Readonly<Record<string, unknown>>,
): Promise<Failure> {
  const [scope, name] = project === undefined ? (["group", group] as const) : (["project", project] as const);
  // A lookup that found out has named it, without a status.
  const { status, hint } = error.details;
  const isOpen = error.code === "moved" && (status !== undefined || hint === undefined);
  if (!isOpen || typeof name !== "string" || isId(name)) return error;
  const { id, path } = await readPlace(verifier, scope, name).catch(() => ({ id: undefined, path: undefined }));
  if (path === undefined || path.toLowerCase() === name.toLowerCase()) return error;
  const { exit, details } = error;
  return new Failure(exit, `the ${scope} ${name} has moved to ${path}`, {
    ...details,
    reason: error.message,
    hint: commandLine([`-${scope.charAt(0)}`, nameInRequests({ id, path })]),
  });
}
