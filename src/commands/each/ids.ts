import { UsageError } from "../../base/errors.ts";
import { isTypedId } from "../../base/group-paths.ts";
import type { InnerCommand } from "../../context.ts";
import type { ScopeKind } from "./sources.ts";

/**
 * Refuses, on several instances, places that were given by their IDs, and a change that names anything by an ID: in its
 * words, or in a file that it reads.
 */
export async function refuseIds(inner: InnerCommand, kind: ScopeKind | undefined): Promise<void> {
  const own = kind === undefined ? Object.values(inner.scope()).find((text = "") => isTypedId(text)) : undefined;
  refuse(own ?? inner.placeIds[0], "write the path");
  if (!inner.changes) return;
  refuse(inner.otherIds[0], "write the name if it has one, or change one instance at a time");
  const hint = "write the username or the path where the file can have it, or change one instance at a time";
  refuse(await inner.idInFiles(), hint);
}

function refuse(id: string | undefined, hint: string): void {
  if (id !== undefined) throw new UsageError(`${id} is an ID, and something else on each instance`, { hint });
}
