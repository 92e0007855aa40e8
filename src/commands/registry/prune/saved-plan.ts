import { getTag } from "../../../api/endpoints/registry.ts";
import { planMode } from "../../../base/ci.ts";
import { Failure, UsageError, undefinedOn } from "../../../base/errors.ts";
import { isObject } from "../../../base/is-object.ts";
import { readObject } from "../../../base/read-value.ts";
import { commandLine } from "../../../base/shell-words.ts";
import { counted, someOf } from "../../../base/wording.ts";
import type { Context } from "../../../context.ts";
import { bulk } from "../../../jobs/bulk.ts";
import { openJournal } from "../../../jobs/journal.ts";
import { headOf } from "../../../jobs/journal-head.ts";
import { staleCode } from "../../../jobs/tally.ts";
import type { RowsView } from "../../../terminal/view.ts";
import { readTextSource } from "../../../transfer/source.ts";
import { confirm, confirmed, refuseUnasked } from "../../../verbs/confirm.ts";
import { noticeAfter } from "../../../verbs/notice.ts";
import { mapWithProgress } from "../../../verbs/row-collection.ts";
import { stale } from "./as-surveyed.ts";
import { closing, deleteOne } from "./deletions.ts";
import { isRoleMissing, RoleGate } from "./role-gate.ts";
import { namesOf, plannedIn, type SurveyedRepository } from "./survey.ts";

/** A tag to delete, as long as it points at this image. */
interface PlannedTag {
  readonly project_id: number;
  readonly repository_id: number;
  readonly path: string;
  readonly name: string;
  readonly digest: string;
}

interface SavedPlan {
  readonly forgectl_prune: 1;
  readonly instance: string;
  /** When the tags were read, ISO 8601. */
  readonly at: string;
  readonly tags: readonly PlannedTag[];
}

/** Writes the tags that are certain to be deleted, with their digests: none on which only the instance can decide. */
export async function savePlan(context: Context, path: string, surveyed: readonly SurveyedRepository[]): Promise<void> {
  const saved: SavedPlan = {
    forgectl_prune: 1,
    instance: context.config.baseUrl?.value ?? "",
    at: context.now().toISOString(),
    tags: surveyed.flatMap(({ repository, decisions }) =>
      plannedIn(decisions).map(({ name, digest }) => {
        const { project_id, id: repository_id, path: of } = repository;
        return { project_id, repository_id, path: of, name, digest };
      }),
    ),
  };
  if (context.config.dryRun) return;
  await context.files.write(path, `${JSON.stringify(saved, null, 2)}\n`, planMode(context.env));
}

/** Deletes the tags of a saved plan that still point at the images that they pointed at then. */
export async function deletePlanned(
  context: Context,
  path: string,
  journalPath: string | undefined,
): Promise<RowsView> {
  const { instance, at, tags } = await readPlan(context, path);
  const here = context.config.baseUrl?.value;
  if (instance !== here) throw new UsageError(`the plan is for ${instance}, not for ${here ?? "no address"}`);
  const repositories = new Set(tags.map(({ repository_id }) => repository_id)).size;
  const places = counted(repositories, "repository", "repositories");
  const action = `delete ${counted(tags.length, "tag")} in ${places}, as planned at ${context.shownTime(at)}: ${someOf(tags.map(({ path: of, name }) => `${of}:${name}`))}`;
  await refuseUnasked(context, { action });
  const words = ["registry", "prune", "--plan", path];
  const journal =
    journalPath === undefined
      ? undefined
      : await openJournal(context, journalPath, await headOf(context, commandLine(words), { reads: [path] }));
  const rest = [...words, ...(journalPath === undefined ? [] : ["--journal", journalPath]), ...confirmed(context)];
  try {
    if (tags.length === 0) context.notice("nothing to delete: the plan names no tag");
    const listed = listing(context);
    if (context.config.dryRun) {
      await journal?.close();
      return previewPlanned(context, tags, listed);
    }
    if (tags.length > 0) await confirm(context, { action });
    const gate = new RoleGate(context, "tags");
    const rows = await bulk(
      context,
      tags,
      async (tag) => {
        const row = { repository_id: tag.repository_id, path: tag.path, name: tag.name };
        const place = { project: String(tag.project_id), repository_id: tag.repository_id };
        const look = async () => {
          if (!(await isAsPlanned(context, tag, listed))) throw new Gone();
        };
        try {
          await deleteOne(context, { at: place, name: tag.name, look, journal, gate });
        } catch (error) {
          if (error instanceof Gone) return { ...row, status: "skipped", error: gone };
          throw error;
        }
        return { ...row, status: "deleted", error: null };
      },
      ({ repository_id, path: of, name }) => ({ repository_id, path: of, name }),
      { again: `forgectl ${commandLine(rest)}`, ends: isRoleMissing },
    );
    return { rows: closing(rows, journal), columns: ["path", "name", "status", "error"], validIfPartial: true };
  } catch (error) {
    await journal?.close();
    throw error;
  }
}

/** Thrown in place of the deletion of a tag that does not exist. */
class Gone extends Error {}

const gone = "it does not exist anymore";
const again = "make a new plan with --save";

function elsewhere(path: string): Failure {
  return new Failure("conflict", `the repository that the plan names has another path (${path}); it was not deleted`, {
    code: staleCode,
    hint: again,
    retryable: false,
  });
}

/** Whether the tag still points at its image; false if it is gone. Throws if it points at another one. */
async function isAsPlanned(context: Context, tag: PlannedTag, listed: Listed): Promise<boolean> {
  const place = { project: String(tag.project_id), repository_id: tag.repository_id };
  const now = await context.api.call(getTag, { ...place, tag_name: tag.name }).catch(undefinedOn("notFound"));
  if (now === undefined && (await listed(place)).has(tag.name)) throw unreadable();
  if (now === undefined) return false;
  // What was reviewed is the path, and the request names the repository by its ID.
  if (typeof now.path === "string" && now.path !== `${tag.path}:${tag.name}`) throw elsewhere(now.path);
  if (now.digest !== tag.digest) throw stale(now.digest ?? undefined, again);
  return true;
}

/** Every tag of the plan with what would become of it now. */
async function previewPlanned(context: Context, tags: readonly PlannedTag[], listed: Listed): Promise<RowsView> {
  const rows = await mapWithProgress(context, "reading tags", tags, async (tag) => {
    const row = { repository_id: tag.repository_id, path: tag.path, name: tag.name };
    try {
      const isThere = await isAsPlanned(context, tag, listed);
      return { ...row, verdict: isThere ? "DELETE" : "KEEP", rule: isThere ? "planned" : "gone", error: null };
    } catch (error) {
      if (!(error instanceof Failure) || (error.code !== staleCode && error.code !== "unreadable")) throw error;
      return { ...row, verdict: "KEEP", rule: error.code, error: error.message };
    }
  });
  const count = rows.filter(({ verdict }) => verdict === "DELETE").length;
  const text = `${count} of ${counted(tags.length, "tag")} of the plan would be deleted`;
  return { rows: noticeAfter(context, rows, text), columns: ["path", "name", "verdict", "rule", "error"] };
}

type Listed = ReturnType<typeof listing>;

/** The names that a repository lists now, requested once. */
function listing(context: Context): (at: { project: string; repository_id: number }) => Promise<ReadonlySet<string>> {
  const known = new Map<number, Promise<ReadonlySet<string>>>();
  return (at) => {
    const names = known.get(at.repository_id) ?? namesOf(context, { at }).then((all) => new Set(all));
    known.set(at.repository_id, names);
    return names;
  };
}

function unreadable(): Failure {
  return new Failure("refused", "the tag is listed, but its details are not found; it was not deleted", {
    code: "unreadable",
    retryable: false,
  });
}

async function readPlan(context: Context, path: string): Promise<SavedPlan> {
  const value = readObject(await readTextSource(context, path)) ?? {};
  const { forgectl_prune: version, instance, at, tags } = value;
  const isHead = version === 1 && typeof instance === "string" && typeof at === "string";
  if (!isHead || !Array.isArray(tags) || !tags.every(isPlannedTag)) {
    throw new UsageError(`${path} is not a plan that forgectl registry prune --save wrote`);
  }
  return value as unknown as SavedPlan;
}

function isPlannedTag(value: unknown): value is PlannedTag {
  if (!isObject(value)) return false;
  const { project_id, repository_id, path, name, digest } = value;
  const isId = (id: unknown) => Number.isSafeInteger(id) && Number(id) > 0;
  return (
    isId(project_id) &&
    isId(repository_id) &&
    [path, name, digest].every((text) => typeof text === "string" && text !== "")
  );
}
