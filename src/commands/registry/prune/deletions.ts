import { deleteTag, deleteTagsInBulk, getTag } from "../../../api/endpoints/registry.ts";
import type { Context } from "../../../context.ts";
import { bulk } from "../../../verbs/bulk.ts";
import type { Journal } from "../../../verbs/journal.ts";
import { deletedOrVerified } from "../../../verbs/verified.ts";
import { nextAllowed, rememberCall } from "./hourly-limit.ts";
import type { Plan } from "./plan.ts";
import type { Decision } from "./selection.ts";

/** A repository, and what the rules decide about its tags. */
export interface Surveyed {
  plan: Plan;
  repository: { id: number; path: string };
  decisions: Decision<{ name: string; created_at?: string | null; total_size?: number; digest?: string }>[];
}

export function selected({ decisions }: Surveyed) {
  return decisions.filter(({ verdict }) => verdict !== "KEEP").map(({ tag }) => tag);
}

/** Deletes exactly the tags of the preview, concurrently over all repositories. */
export function byTag(context: Context, surveyed: readonly Surveyed[], journal: Journal | undefined, again: string) {
  const items = surveyed.flatMap((each) =>
    selected(each).map(({ name }) => ({ ...each.repository, at: each.plan.at, name })),
  );
  const idOf = ({ id, name }: (typeof items)[number]) => `${id}/${name}`;
  const left = items.filter((item) => journal?.seen.get(idOf(item))?.status !== "deleted");
  return bulk(
    context,
    left,
    async (item) => {
      const { id: repository_id, path, name, at } = item;
      await journal?.begin(idOf(item));
      const tag = { ...at, tag_name: name };
      const deletion = () => context.api.call(deleteTag, tag);
      await deletedOrVerified(context, deletion, (api) => api.call(getTag, tag), `tag ${name}`);
      await journal?.end(idOf(item), "deleted");
      return { repository_id, path, name, status: "deleted", error: null };
    },
    ({ id: repository_id, path, name }) => ({ repository_id, path, name }),
    { again },
  );
}

/**
 * One call per repository, with `--wait` until its tags are deleted. Repositories with a call within the last hour are
 * reported as waiting, those with a tie are skipped.
 */
export function inBulk(context: Context, surveyed: readonly Surveyed[], journal: Journal | undefined, again: string) {
  const todo = surveyed.filter((each) => selected(each).length > 0);
  return bulk(
    context,
    todo,
    async (each) => {
      const { repository, plan, decisions } = each;
      const names = new Set(selected(each).map(({ name }) => name));
      const row = { repository_id: repository.id, path: repository.path, deleted: names.size, error: null };
      if (decisions.some(({ verdict }) => verdict === "EITHER")) {
        return { ...row, status: "skipped", next_allowed_at: null, error: "a tie decides: --via tags is exact" };
      }
      const waits = await nextAllowed(context, repository.id);
      if (waits !== undefined) return { ...row, status: "waiting", next_allowed_at: waits };
      await journal?.begin(String(repository.id));
      await context.api.call(deleteTagsInBulk, { ...plan.at, ...plan.sent });
      await journal?.end(String(repository.id), "scheduled");
      const next = await rememberCall(context, repository.id);
      if (plan.waiting === undefined) return { ...row, status: "scheduled", next_allowed_at: next };
      await (await import("./bulk.ts")).untilDeleted(context, plan, names, next);
      return { ...row, status: "deleted", next_allowed_at: next };
    },
    ({ repository }) => ({ repository_id: repository.id, path: repository.path }),
    { again },
  );
}
