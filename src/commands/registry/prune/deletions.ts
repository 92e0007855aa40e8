import { deleteTag, getTag } from "../../../api/endpoints/registry.ts";
import type { Context } from "../../../context.ts";
import { bulk } from "../../../jobs/bulk.ts";
import type { Journal } from "../../../jobs/journal.ts";
import { deletedOrVerified } from "../../../verbs/verified.ts";
import { scheduleDeletion, untilDeleted } from "./bulk.ts";
import { nextAllowed } from "./hourly-limit.ts";
import { deletionsOf, isTied, type SurveyedRepository } from "./survey.ts";

interface Run {
  surveyed: readonly SurveyedRepository[];
  journal: Journal | undefined;
  /** The same command, without the program's name. */
  again: string;
}

/** Deletes exactly the tags of the preview, concurrently over all repositories. */
export function byTag(context: Context, { surveyed, journal, again }: Run) {
  const items = surveyed.flatMap((each) =>
    deletionsOf(each).map(({ name }) => ({ ...each.repository, at: each.plan.at, name })),
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
    { again: `forgectl ${again}` },
  );
}

/**
 * One call per repository, with `--wait` until its tags are deleted. A repository with a tie is skipped. One with a
 * call from here within the last hour is reported as waiting; with `--wait` it fails, unless that call is in the
 * journal.
 */
export function inBulk(context: Context, { surveyed, journal, again }: Run) {
  return bulk(
    context,
    surveyed.filter((each) => deletionsOf(each).length > 0),
    async (each) => {
      const { repository, plan } = each;
      const selected = new Set(deletionsOf(each).map(({ name }) => name));
      const row = { repository_id: repository.id, path: repository.path, deleted: selected.size, error: null };
      if (isTied(each)) {
        return { ...row, status: "skipped", next_allowed_at: null, error: "a tie decides: --via tags is exact" };
      }
      if (plan.waiting === undefined) {
        const waits = await nextAllowed(context, repository.id);
        if (waits !== undefined) return { ...row, status: "waiting", next_allowed_at: waits };
      }
      const next = scheduledBefore(context, journal, repository.id) ?? (await scheduled(context, each, journal));
      if (plan.waiting === undefined) return { ...row, status: "scheduled", next_allowed_at: next };
      await untilDeleted(context, plan, { selected, next, again });
      await journal?.end(String(repository.id), "deleted");
      return { ...row, status: "deleted", next_allowed_at: next };
    },
    ({ repository }) => ({ repository_id: repository.id, path: repository.path }),
    { again: `forgectl ${again}` },
  );
}

async function scheduled(context: Context, { plan, repository }: SurveyedRepository, journal: Journal | undefined) {
  const id = String(repository.id);
  await journal?.begin(id);
  const next_allowed_at = await scheduleDeletion(context, plan);
  await journal?.end(id, "scheduled", { next_allowed_at });
  return next_allowed_at;
}

/** When the next call is allowed, if an earlier run made the last one; undefined if a call may be made now. */
function scheduledBefore(context: Context, journal: Journal | undefined, repositoryId: number): string | undefined {
  const { status, facts } = journal?.seen.get(String(repositoryId)) ?? {};
  const { next_allowed_at: next = "" } = (facts ?? {}) as { next_allowed_at?: string };
  return status === "scheduled" && Date.parse(next) > context.now().getTime() ? next : undefined;
}
