import { getRepository } from "../../api/endpoints/registry.ts";
import type { Context } from "../../context.ts";

/** A repository's path, which is typed to confirm the deletion of all its tags. */
export async function pathOf(context: Context, repositoryId: number): Promise<string> {
  return (await context.api.call(getRepository, { repository_id: repositoryId })).path;
}
