import { Failure, UsageError } from "../../../base/errors.ts";
import { isBelow, isId } from "../../../base/group-paths.ts";
import { counted, sumOfSizes } from "../../../base/wording.ts";
import type { Context } from "../../../context.ts";
import type { RowsView } from "../../../terminal/view.ts";
import { confirm } from "../../../verbs/confirm.ts";
import { noticeAfter } from "../../../verbs/notice.ts";
import { mapWithProgress } from "../../../verbs/row-collection.ts";
import { repositoriesOf } from "../usage.ts";
import { type Clock, clockOf, clockReason } from "./clock.ts";
import type { Criteria } from "./criteria.ts";
import { Protections } from "./protection.ts";
import {
  blockedBy,
  candidatesIn,
  type Decisions,
  isInstances,
  maxDeletedIn,
  plannedIn,
  type SurveyedRepository,
  selectedIn,
  survey,
} from "./survey.ts";
import { blockedText } from "./undecided-failure.ts";

interface Choice {
  project: string | undefined;
  group: string | undefined;
  fits: ((path: string) => boolean) | undefined;
  via: "bulk" | "tags";
  /** `all` for a preview, and for sizes, which are among the details. */
  details: "all" | "undecided";
  /** What is selected goes to a plan. */
  isSaved: boolean;
}

interface Survey {
  surveyed: SurveyedRepository[];
  clock: Clock;
}

/** Applies the rules to the tags that exist now, in every repository. */
export async function surveyAll(
  context: Context,
  { project, group, fits, ...how }: Choice,
  criteriaOf: (at: { project: string; repository_id: number }) => Promise<Criteria>,
): Promise<Survey> {
  const all = await repositoriesOf(context, { project, group });
  const repositories = fits === undefined ? all : all.filter(({ path }) => fits(path));
  refuseElsewhere({ project, group }, repositories);
  const [first] = repositories;
  if (first === undefined) {
    if (all.length > 0) throw new UsageError("no repository matches", { hint: "forgectl registry list" });
    return { surveyed: [], clock: "image" };
  }
  const criteriaFor = (each: typeof first) => criteriaOf({ project: String(each.project_id), repository_id: each.id });
  const clock = await clockOf(context, await criteriaFor(first));
  const protections = new Protections(context);
  const surveyed = await mapWithProgress(context, "reading repositories", repositories, async (repository) => {
    const own = await criteriaFor(repository);
    const decisions = await survey(context, own, { ...how, clock, protections });
    return { criteria: own, repository, decisions };
  });
  return { surveyed, clock };
}

/**
 * Throws if a repository is not of what was typed: an instance lists those of an earlier path under its new one, and
 * the deletions, which go by ID, would reach them.
 */
function refuseElsewhere(
  { project, group }: Pick<Choice, "project" | "group">,
  repositories: readonly { readonly path: string }[],
): void {
  const [what, typed] = project === undefined ? (["group", group ?? ""] as const) : (["project", project] as const);
  if (isId(typed)) return;
  for (const { path } of repositories) {
    if (isBelow(path, typed) || (what === "project" && path.toLowerCase() === typed.toLowerCase())) continue;
    throw new Failure("refused", `the repository ${path} is not in the ${what} ${typed}, which may have moved`, {
      code: "moved",
      nothing: "deleted",
      retryable: false,
    });
  }
}

interface Summarized {
  clock: Clock;
  via: "bulk" | "tags";
  sizes: boolean;
}

/** A line per repository with its tags, and one for all of them. */
function announce(
  context: Context,
  surveyed: readonly SurveyedRepository[],
  { clock, sizes, saved }: Summarized & { saved?: string | undefined },
): void {
  for (const each of surveyed) {
    const { repository, decisions } = each;
    const held = sizes ? `, ${sumOfSizes(freed(each))} used by no other tag` : "";
    const [count, left] = saved === undefined ? [amount(each), skipped(decisions)] : savedIn(decisions);
    context.notice(`${repository.path}: ${count} of ${counted(decisions.length, "tag")} to delete${held}${left}`);
  }
  const instances = surveyed.some(({ decisions }) => isInstances(decisions));
  const reason = instances ? clockReason(clock) : undefined;
  if (reason !== undefined) context.notice(reason);
}

function skipped(decisions: Decisions): string {
  const blocked = blockedBy(decisions);
  return blocked === undefined ? "" : `, skipped because ${blocked === "tie" ? "of a tie" : blockedText.unreadable}`;
}

/** A plan has what is certain, of a repository too that a prune by rules would skip. */
function savedIn(decisions: Decisions): [count: number, left: string] {
  const either = decisions.filter(({ verdict }) => verdict === "EITHER").length;
  const left = either === 0 ? "" : `, without ${either} on which only the instance decides (EITHER)`;
  return [plannedIn(decisions).length, left];
}

function amount({ decisions, criteria }: SurveyedRepository): string {
  if (blockedBy(decisions) !== undefined) return String(candidatesIn(decisions).length);
  return `${isInstances(decisions) ? "at most " : ""}${maxDeletedIn(decisions, criteria)}`;
}

/** The sizes of the images that would have no tag left, each counted once; undefined or null if not shown. */
function freed({ decisions }: Pick<SurveyedRepository, "decisions">): unknown[] {
  const imageOf = ({ tag }: Decisions[number]) => tag.digest ?? tag.name;
  const remaining = new Set(decisions.filter(({ verdict }) => verdict === "KEEP").map(imageOf));
  const leaving = decisions.filter((each) => !remaining.has(imageOf(each)));
  return [...new Map(leaving.map((each) => [imageOf(each), each.tag.total_size])).values()];
}

/** What would be deleted, over all repositories: "7 of 90 tags in 2 repositories". */
interface Total {
  /** Tags that are or may be deleted, without those of repositories that are skipped. */
  count: number;
  isInstances: boolean;
  words: string;
}

function totalOf(surveyed: readonly SurveyedRepository[], { sizes }: Pick<Summarized, "sizes">): Total {
  const affected = surveyed.filter(
    ({ decisions, criteria }) => blockedBy(decisions) === undefined && maxDeletedIn(decisions, criteria) > 0,
  );
  const count = affected.reduce((sum, { decisions, criteria }) => sum + maxDeletedIn(decisions, criteria), 0);
  const all = surveyed.reduce((sum, { decisions }) => sum + decisions.length, 0);
  const instances = affected.some(({ decisions }) => isInstances(decisions));
  const repositories = counted(affected.length, "repository").replace(/repositorys$/, "repositories");
  const held = sizes ? `, ${sumOfSizes(affected.flatMap(freed))} used by no other tag,` : "";
  const words = `${instances ? "at most " : ""}${count} of ${counted(all, "tag")}${held} in ${repositories}`;
  return { count, isInstances: instances, words };
}

function nothingToDelete(surveyed: readonly SurveyedRepository[]): string {
  if (surveyed.length === 0) return "nothing to delete: there is no repository";
  const isSkipping = surveyed.some(({ decisions }) => blockedBy(decisions) !== undefined);
  return isSkipping
    ? "nothing to delete in repositories that are not skipped"
    : "nothing to delete: the rules select no tag";
}

const previewColumns = ["path", "name", "verdict", "rule", "created_at", "total_size"];

interface Previewed extends Summarized {
  only: string | undefined;
  /** The file to which the plan was saved. */
  saved: string | undefined;
}

/** Every tag with its verdict, or only those with one, and the sums. */
export function previewOf(context: Context, surveyed: readonly SurveyedRepository[], how: Previewed): RowsView {
  const { only, saved } = how;
  announce(context, surveyed, how);
  const rows = surveyed.flatMap(({ repository, decisions }) =>
    decisions.flatMap(({ tag, verdict, rule }) => {
      if (only !== undefined && verdict !== only.toUpperCase()) return [];
      const { name, created_at, total_size } = tag;
      return [{ repository_id: repository.id, path: repository.path, name, verdict, rule, created_at, total_size }];
    }),
  );
  const total = totalOf(surveyed, { sizes: true });
  const hidden = only === "delete" && rows.length === 0 && total.isInstances;
  const notes = hidden ? ["the instance decides on each of them: --only either shows them"] : [];
  const text =
    saved === undefined
      ? total.count === 0
        ? nothingToDelete(surveyed)
        : `${total.words} would be deleted`
      : savedText(context, surveyed, saved);
  return { rows: noticeAfter(context, rows, text, ...notes), columns: previewColumns };
}

function savedText(context: Context, surveyed: readonly SurveyedRepository[], path: string): string {
  const [chosen, planned] = [selectedIn, plannedIn].map((tagsIn) =>
    surveyed.reduce((sum, { decisions }) => sum + tagsIn(decisions).length, 0),
  ) as [number, number];
  const others = chosen > planned ? `, ${chosen - planned} without a known image not` : "";
  const verb = context.config.dryRun ? "would be saved" : "saved";
  return `${counted(planned, "tag")} ${verb} to ${path}${others}; nothing was deleted`;
}

interface Asking extends Summarized {
  /** As typed, one of the two. */
  project: string | undefined;
  group: string | undefined;
  /** The delete pattern matches every name. */
  everything: boolean;
}

/** Shows what would be deleted, and asks once for all repositories. */
export async function askAll(
  context: Context,
  surveyed: readonly SurveyedRepository[],
  { project, group, everything, ...how }: Asking,
): Promise<void> {
  announce(context, surveyed, how);
  const total = totalOf(surveyed, how);
  if (total.count > 0) {
    const decides = total.isInstances ? " (the instance decides)" : "";
    const place = group ?? project;
    const action = `delete ${total.words} of ${place}${decides}`;
    return confirm(context, { action, typed: everything ? place : undefined });
  }
  // Repositories that are skipped are only named.
  if (surveyed.every(({ decisions }) => blockedBy(decisions) === undefined)) context.notice(nothingToDelete(surveyed));
}
