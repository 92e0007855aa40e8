import {
  deleteTag,
  deleteTagsInBulk,
  getTag,
  listGroupRepositories,
  listProjectRepositories,
  listTags,
  repositoryId,
} from "../../../api/endpoints/registry.ts";
import { group, project } from "../../../api/endpoints/scope.ts";
import {
  boolean,
  bytes,
  entity,
  integer,
  nullable,
  oneOf,
  outcome,
  string,
  timestamp,
  uncut,
} from "../../../api/field.ts";
import { UsageError } from "../../../base/errors.ts";
import { globOf } from "../../../base/glob.ts";
import { commandLine, flagWords } from "../../../base/line.ts";
import { byteSize } from "../../../base/wording.ts";
import type { Context } from "../../../context.ts";
import { command } from "../../../declare/command.ts";
import { type Journal, journalFlag, openJournal } from "../../../jobs/journal.ts";
import type { View } from "../../../terminal/view.ts";
import { mapWithProgress } from "../../../verbs/collected.ts";
import { confirm, confirmed, refuseUnasked } from "../../../verbs/confirm.ts";
import { secondsToWait, waitFlags } from "../../../verbs/poll.ts";
import { repositoriesOf } from "../usage.ts";
import { defaultWaitSeconds, type Plan, readPlan, ruleFlags, verdict, waitsForBulk } from "./plan.ts";
import { deletionsOf, isTied, type SurveyedRepository, survey } from "./survey.ts";

const PrunedTag = entity("PrunedTag", {
  repository_id: repositoryId,
  path: uncut("Repository path"),
  name: uncut("Tag; empty for a whole repository"),
  verdict,
  rule: uncut("The rule that decided"),
  created_at: timestamp(),
  total_size: bytes(),
  status: outcome("deleted, scheduled, waiting, or the problem"),
  deleted: integer("Number of tags that the rules select"),
  next_allowed_at: nullable(timestamp("When the next bulk delete of the repository is allowed")),
  error: nullable(uncut()),
});

/** `registry tags prune` over every repository of a project or a group. */
export const pruneAll = command({
  name: "prune",
  summary: "Delete tags by rule in every repository of a project or a group",
  details:
    "The rules are those of registry tags prune, applied to each repository. --dry-run is the preview: every tag with " +
    "KEEP or DELETE and the rule that decided. --via bulk lets the platform delete, once an hour per repository: those " +
    "that must wait are named, and fail with --wait. --via tags deletes exactly what the preview shows. Deleting a tag " +
    "never breaks an image that has another tag.",
  params: {
    project,
    group,
    ...ruleFlags,
    keep_n: { ...ruleFlags.keep_n, description: `${ruleFlags.keep_n.description}, in each repository` },
    match: string("Only repositories whose path matches; ** matches anything", { placeholder: "glob" }),
    via: oneOf(["bulk", "tags"], "One call per repository in the background, or one deletion per tag", {
      default: "bulk",
    }),
    ...waitFlags(
      "Wait until the platform has deleted the tags, with --via bulk",
      defaultWaitSeconds,
      "Seconds to wait at most for each repository",
    ),
    sizes: boolean("Show the size that only the deleted tags use"),
    journal: journalFlag,
  },
  requests: [listProjectRepositories, listGroupRepositories, listTags, getTag, deleteTag, deleteTagsInBulk],
  returns: PrunedTag,
  examples: [
    {
      line: "registry prune -g acme --delete-regex 'nightly-.*' --older-than '1 week' --dry-run",
      note: "preview",
    },
    { line: "registry prune -p acme/storefront --delete-regex '[0-9a-f]{8}' --keep-n 5 --via tags --yes" },
  ],
  related: ["registry usage", "registry tags prune"],
  async run(context, input): Promise<View> {
    const { match, via = "bulk", sizes = false, journal: file, project, group, wait, wait_timeout, ...rules } = input;
    if (wait && via === "tags") throw new UsageError(waitsForBulk);
    secondsToWait({ wait, wait_timeout }, defaultWaitSeconds);
    const fits = match === undefined ? () => true : globOf(match);
    // Invalid rules are reported before the first request.
    const { everything } = await readPlan(context, { ...rules, project: "", repository_id: 0 });
    const place = group ?? project ?? "";
    await refuseUnasked(context, { action: `delete tags of all repositories of ${place}` });
    const words = ["registry", "prune", ...flagWords({ group, project, match, via, ...rules })];
    const journal = file === undefined ? undefined : await openPruneJournal(context, file, words);
    try {
      const details = context.config.dryRun || sizes ? "all" : "undecided";
      const planOf = (at: At) =>
        readPlan({ ...context, warn: () => undefined }, { ...rules, ...at, wait, wait_timeout });
      const surveyed = await surveyAll(context, { project, group, fits, via, wait, journal, details }, planOf);
      for (const each of surveyed) context.notice(summaryOf(each, sizes));
      if (context.config.dryRun) {
        await journal?.close();
        return { rows: surveyed.flatMap(previewRows), columns: previewColumns };
      }
      await askAll(context, surveyed, { place, everything });
      const flags = { journal: file, wait, wait_timeout, sizes };
      const again = commandLine([...words, ...flagWords(flags), ...confirmed(context)]);
      const { byTag, inBulk } = await import("./deletions.ts");
      const rows = await (via === "tags" ? byTag : inBulk)(context, { surveyed, journal, again });
      const columns =
        via === "tags"
          ? ["path", "name", "status", "error"]
          : ["path", "status", "deleted", "next_allowed_at", "error"];
      return { rows: closing(rows, journal), columns, validIfPartial: true };
    } catch (error) {
      await journal?.close();
      throw error;
    }
  },
});

interface At {
  project: string;
  repository_id: number;
}

function openPruneJournal(context: Context, path: string, words: readonly string[]): Promise<Journal> {
  return openJournal(context, path, { command: commandLine(words), instance: context.config.baseUrl?.value ?? "" });
}

const previewColumns = ["path", "name", "verdict", "rule", "created_at", "total_size"];

interface Choice {
  project: string | undefined;
  group: string | undefined;
  fits(path: string): boolean;
  via: "bulk" | "tags";
  wait: boolean | undefined;
  /** `all` for a preview, and for sizes, which are among the details. */
  details: "all" | "undecided";
  journal: Journal | undefined;
}

async function surveyAll(
  context: Context,
  { project, group, fits, via, wait = false, journal, details }: Choice,
  planOf: (at: At) => Promise<Plan>,
): Promise<SurveyedRepository[]> {
  const repositories = (await repositoriesOf(context, { project, group })).filter(({ path }) => fits(path));
  if (repositories.length === 0) throw new UsageError("no repository matches", { hint: "forgectl registry list" });
  const left = repositories.filter(({ id }) => !isDone(journal, id, wait));
  const done = repositories.length - left.length;
  if (done > 0) context.notice(`${done} of ${repositories.length} are already done`);
  return mapWithProgress(context, "reading repositories", left, async (repository) => {
    const plan = await planOf({ project: String(repository.project_id), repository_id: repository.id });
    return { plan, repository, decisions: await survey(context, plan, via === "bulk" ? "instance" : "name", details) };
  });
}

/** Whether an earlier run left nothing to do in a repository: with `--wait`, its tags must be deleted. */
function isDone(journal: Journal | undefined, repositoryId: number, wait: boolean): boolean {
  const status = journal?.seen.get(String(repositoryId))?.status;
  return status === "deleted" || (status === "scheduled" && !wait);
}

function summaryOf(each: SurveyedRepository, sizes: boolean): string {
  const deletions = deletionsOf(each);
  const held = sizes ? `, ${byteSize(freed(each))} used by no other tag` : "";
  const skipped = isTied(each) ? ", skipped because of a tie" : "";
  return `${each.repository.path}: ${deletions.length} of ${each.decisions.length} tags${held}${skipped}`;
}

/** Bytes of the images that would have no tag left, each counted once. */
function freed({ decisions }: SurveyedRepository): number {
  const remaining = new Set(decisions.filter(({ verdict }) => verdict === "KEEP").map(({ tag }) => tag.digest));
  const freedSizes = new Map(
    decisions.flatMap(({ tag }) => (remaining.has(tag.digest) ? [] : [[tag.digest, tag.total_size ?? 0] as const])),
  );
  return [...freedSizes.values()].reduce((sum, size) => sum + size, 0);
}

function previewRows({ repository, decisions }: SurveyedRepository): object[] {
  return decisions.map(({ tag, verdict, rule }) => {
    const { name, created_at, total_size } = tag;
    return { repository_id: repository.id, path: repository.path, name, verdict, rule, created_at, total_size };
  });
}

async function askAll(
  context: Context,
  surveyed: readonly SurveyedRepository[],
  { place, everything }: { place: string; everything: boolean },
): Promise<void> {
  if (surveyed.every((each) => deletionsOf(each).length === 0)) {
    return context.notice("nothing to delete: the rules select no tag");
  }
  const count = surveyed.reduce((sum, each) => sum + (isTied(each) ? 0 : deletionsOf(each).length), 0);
  const all = surveyed.reduce((sum, { decisions }) => sum + decisions.length, 0);
  // Repositories with a tie are only named.
  if (count === 0) return;
  await confirm(context, {
    action: `delete ${count} of ${all} tags in ${surveyed.length} repositories of ${place}`,
    typed: everything ? place : undefined,
  });
}

async function* closing(rows: AsyncIterable<object> | object[], journal: Journal | undefined): AsyncGenerator<object> {
  try {
    yield* rows;
  } finally {
    await journal?.close();
  }
}
