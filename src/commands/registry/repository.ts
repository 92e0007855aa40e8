import { getRepository } from "../../api/endpoints/registry.ts";
import type { Context } from "../../context.ts";

/** A repository's path: what is typed to confirm what takes all of it. */
export async function pathOf(context: Context, repositoryId: number): Promise<string> {
  return (await context.api.call(getRepository, { repository_id: repositoryId })).path;
}
