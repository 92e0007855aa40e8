import { deleteTag, getTag } from "../../../api/endpoints/registry.ts";
import { Failure } from "../../../base/errors.ts";
import type { Context } from "../../../context.ts";
import { bulk } from "../../../jobs/bulk.ts";
import type { Journal } from "../../../jobs/journal.ts";
import { deletedOrVerified } from "../../../verbs/lost-answer-check.ts";
import { decisive, refuseMoved } from "./as-surveyed.ts";
import { chosenIn, scheduleDeletion, untilDeleted } from "./bulk.ts";
import { hourMs, nextAllowed } from "./hourly-limit.ts";
import { isRoleMissing, RoleGate } from "./role-gate.ts";
import { blockedBy, candidatesIn, maxDeletedIn, type SurveyedRepository, selectedIn } from "./survey.ts";
import { blockedText, unreadable } from "./undecided-failure.ts";

interface Run {
  surveyed: readonly SurveyedRepository[];
  journal: Journal | undefined;
  /** The same command, without the program's name. */
  again: string;
}

/** A tag to delete, or a repository in which nothing can be decided. */
interface Item {
  id: number;
  path: string;
  at: { project: string; repository_id: number };
  name: string;
  /** Of the image that its time is of, if that decided. */
  image?: string | undefined;
  problem?: Failure;
}

/** Deletes exactly the tags of the preview, concurrently over all repositories. */
export function byTag(context: Context, { surveyed, journal, again }: Run) {
  const items = surveyed.flatMap(({ repository: { id, path }, criteria: { at, rules }, decisions }): Item[] => {
    if (blockedBy(decisions) !== undefined) return [{ id, path, at, name: "", problem: unreadable(decisions) }];
    return selectedIn(decisions).map((tag) => ({ id, path, at, name: tag.name, image: decisive(rules, tag) }));
  });
  const gate = new RoleGate(context, "tags");
  return bulk(
    context,
    items,
    async ({ id, path, name, at, image, problem }) => {
      if (problem !== undefined) throw problem;
      const look = () => refuseMoved(context, { ...at, tag_name: name }, image);
      await deleteOne(context, { at, name, look, journal, gate });
      return { repository_id: id, path, name, status: "deleted", error: null };
    },
    ({ id, path, name }) => ({ repository_id: id, path, name }),
    { again: `forgectl ${again}`, ends: isRoleMissing },
  );
}

interface Deletion {
  at: { project: string; repository_id: number };
  name: string;
  /** Throws if the tag is not to be deleted anymore; called right before, and after each wait. */
  look(): Promise<unknown>;
  journal: Journal | undefined;
  gate: RoleGate;
}

/** Deletes one tag; the journal, if any, records it. */
export async function deleteOne(context: Context, { at, name, look, journal, gate }: Deletion): Promise<void> {
  const id = `${at.repository_id}/${name}`;
  const tag = { ...at, tag_name: name };
  const deletion = () => context.api.call(deleteTag, tag, { afterWait: look });
  await gate.pass(at.project, async () => {
    // The first deletion, for which the others wait, may take minutes.
    await look();
    await journal?.begin(id);
    await deletedOrVerified(context, deletion, (api) => api.call(getTag, tag), `tag ${name}`);
    await journal?.end(id, "deleted");
  });
}

/**
 * One call per repository, with `--wait` until its tags are deleted. A repository in which nothing can be decided is
 * skipped. One with a call from here within the last hour is reported as waiting; with `--wait` it fails, unless that
 * call is in the journal.
 */
export function inBulk(context: Context, { surveyed, journal, again }: Run) {
  const gate = new RoleGate(context, "bulk");
  return bulk(
    context,
    surveyed.filter(
      ({ decisions, criteria }) => candidatesIn(decisions).length > 0 && maxDeletedIn(decisions, criteria) > 0,
    ),
    async (each) => {
      const { repository, criteria, decisions } = each;
      const chosen = chosenIn(decisions, criteria);
      const row = { repository_id: repository.id, path: repository.path, error: null };
      const deleted = chosen.isInstances ? null : chosen.maxDeleted;
      const blocked = blockedBy(decisions);
      if (blocked === "unreadable") throw unreadable(decisions);
      if (blocked === "tie") {
        return { ...row, status: "skipped", deleted, next_allowed_at: null, error: blockedText.tie };
      }
      const before = scheduledBefore(context, journal, repository.id);
      if (criteria.waiting === undefined) {
        const waits = before ?? (await nextAllowed(context, repository.id));
        if (waits !== undefined) return { ...row, status: "waiting", deleted, next_allowed_at: waits };
      }
      const next = before ?? (await gate.pass(criteria.at.project, () => scheduled(context, each, journal)));
      if (criteria.waiting === undefined) return { ...row, status: "scheduled", deleted, next_allowed_at: next };
      const gone = await untilDeleted(context, criteria, { ...chosen, next, again }).catch(afterScheduling);
      await journal?.end(String(repository.id), "deleted", { next_allowed_at: next });
      return { ...row, status: "deleted", deleted: gone, next_allowed_at: next };
    },
    ({ repository }) => ({ repository_id: repository.id, path: repository.path }),
    { again: `forgectl ${again}`, ends: isRoleMissing },
  );
}

/** An error during the wait does not undo the call: the instance deletes, whether or not it can be watched. */
function afterScheduling(error: unknown): never {
  if (!(error instanceof Failure) || error.exit === "interrupted" || error.details.outcome !== undefined) throw error;
  const isTimeout = error.details.method === undefined;
  const message = isTimeout ? error.message : `the deletion of tags is scheduled, but then: ${error.message}`;
  throw error.with({ message, outcome: "made", retryable: false });
}

async function scheduled(context: Context, { criteria, repository }: SurveyedRepository, journal: Journal | undefined) {
  const id = String(repository.id);
  await journal?.begin(id);
  const next_allowed_at = await scheduleDeletion(context, criteria);
  await journal?.end(id, "scheduled", { next_allowed_at });
  return next_allowed_at;
}

/** When the next call is allowed, if an earlier run made the last one; undefined if a call may be made now. */
function scheduledBefore(context: Context, journal: Journal | undefined, repositoryId: number): string | undefined {
  const { facts } = journal?.seen.get(String(repositoryId)) ?? {};
  const { next_allowed_at: next = "" } = (facts ?? {}) as { next_allowed_at?: string };
  const leftMs = Date.parse(next) - context.now().getTime();
  // More than the hour was recorded by a clock that was ahead.
  return leftMs > 0 && leftMs <= hourMs + 1000 ? next : undefined;
}

/** The rows; the journal is closed after the last. */
export async function* closing(
  rows: AsyncIterable<object> | object[],
  journal: Journal | undefined,
): AsyncGenerator<object> {
  try {
    yield* rows;
  } finally {
    await journal?.close();
  }
}
