import {
  deleteTag,
  deleteTagsInBulk,
  getTag,
  listGroupRepositories,
  listProjectRepositories,
  listTagProtectionRules,
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
import { missing, UsageError } from "../../../base/errors.ts";
import { globOf } from "../../../base/glob.ts";
import { commandLine, flagWords } from "../../../base/shell-words.ts";
import type { Context } from "../../../context.ts";
import { command } from "../../../declare/command.ts";
import { journalFlag, openJournal } from "../../../jobs/journal.ts";
import { headOf } from "../../../jobs/journal-head.ts";
import type { View } from "../../../terminal/view.ts";
import { confirmed, refuseUnasked } from "../../../verbs/confirm.ts";
import { checkOutputFile } from "../../../verbs/output-file.ts";
import { secondsToWait, waitFlags } from "../../../verbs/poll.ts";
import { refuseOtherClock } from "./clock.ts";
import { defaultWaitSeconds, readCriteria, ruleFlags, verdict, waitsForBulk } from "./criteria.ts";
import { askAll, previewOf, surveyAll } from "./repositories.ts";

const PrunedTag = entity("PrunedTag", {
  repository_id: repositoryId,
  path: uncut("Repository path"),
  name: uncut("Tag; empty for a whole repository"),
  verdict,
  rule: uncut("The rule that decided"),
  created_at: timestamp(),
  total_size: bytes(),
  status: outcome("deleted, scheduled, waiting, skipped, stale, or the problem"),
  deleted: nullable(integer("Number of tags that the rules select; null if only the instance knows, without --wait")),
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
    "that must wait are named, and fail with --wait. --via tags deletes exactly what the preview shows, except tags that " +
    "were selected by their age and pushed again since (stale); it is refused " +
    "for --keep-n and --older-than where the registry decides by the last push, which it does not show. --save writes " +
    "the tags to be deleted to a file, with their digests, and deletes nothing; --plan deletes exactly those, unless a " +
    "tag points at another image by then (stale). Each run looks at the tags that exist now, with --journal too. " +
    "Deleting a tag never breaks an image that has another tag.",
  params: {
    project,
    group,
    ...ruleFlags,
    delete_regex: { ...ruleFlags.delete_regex, required: false },
    keep_n: { ...ruleFlags.keep_n, description: `${ruleFlags.keep_n.description}, in each repository` },
    match: string("Only repositories whose path matches; ** matches anything", { placeholder: "glob" }),
    via: oneOf(["bulk", "tags"], "One call per repository in the background, or one deletion per tag", {
      default: "bulk",
    }),
    ...waitFlags(
      "Wait until the platform has deleted the tags, with --via bulk",
      defaultWaitSeconds,
      "Maximum wait for each repository in seconds",
    ),
    sizes: boolean("Show the size that only the deleted tags use"),
    only: oneOf(["delete", "keep", "either"], "In a preview: only rows with this verdict"),
    save: string("Save the tags to be deleted to this file, for --plan, and delete nothing", {
      placeholder: "plan",
      completes: "file",
      writes: "whole",
    }),
    plan: string("Delete the tags of this saved plan, one by one, instead of rules", {
      placeholder: "plan",
      completes: "file",
      ownScope: true,
    }),
    journal: journalFlag,
  },
  requests: [
    ...[listProjectRepositories, listGroupRepositories, listTags, getTag, listTagProtectionRules],
    ...[deleteTagsInBulk, deleteTag],
  ],
  returns: PrunedTag,
  prints: "rows",
  examples: [
    {
      line: "registry prune -g acme --delete-regex 'nightly-.*' --older-than '1 week' --dry-run --only delete",
      note: "preview",
    },
    { line: "registry prune -p acme/storefront --delete-regex '[0-9a-f]{8}' --keep-n 5 --via tags --yes" },
    { line: "registry prune -g acme --delete-regex 'nightly-.*' --save prune.json", note: "for review" },
  ],
  related: ["registry usage", "registry tags prune"],
  changes: ({ save }) => save === undefined,
  async run(context, { plan, journal: file, ...input }): Promise<View> {
    if (plan !== undefined) {
      refuseBeside(input);
      return (await import("./saved-plan.ts")).deletePlanned(context, plan, file);
    }
    const { delete_regex } = input;
    if (delete_regex === undefined) throw missing("--delete-regex <re2>", { code: "missing_flag" });
    return pruneByRules(context, { ...input, delete_regex, journal: file });
  },
});

interface Input {
  project?: string | undefined;
  group?: string | undefined;
  delete_regex: string;
  keep_regex?: string | undefined;
  keep_n?: number | undefined;
  older_than?: string | undefined;
  match?: string | undefined;
  via?: "bulk" | "tags" | undefined;
  wait?: boolean | undefined;
  wait_timeout?: number | undefined;
  sizes?: boolean | undefined;
  only?: "delete" | "keep" | "either" | undefined;
  save?: string | undefined;
  journal: string | undefined;
}

/** A saved plan says which tags are deleted, and how. */
function refuseBeside(input: object): void {
  const given = Object.entries(input).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [`--${name.replaceAll("_", "-")}`],
  );
  if (given.length === 0) return;
  throw new UsageError(`--plan names the tags: ${given.join(", ")} cannot be combined with it`);
}

async function pruneByRules(context: Context, input: Input): Promise<View> {
  const { match, via = "bulk", sizes = false, journal: file, project, group, wait, wait_timeout, ...others } = input;
  const { only, save, ...rules } = others;
  if (wait && via === "tags") throw new UsageError(waitsForBulk);
  secondsToWait({ wait, wait_timeout }, defaultWaitSeconds);
  const isSaved = save !== undefined;
  const isPreview = context.config.dryRun || isSaved;
  if (only !== undefined && !isPreview) throw new UsageError("--only needs --dry-run or --save");
  if (save !== undefined) await checkOutputFile(context, save, "--save");
  const fits = match === undefined ? undefined : globOf(match);
  // Invalid rules are reported before the first request.
  const { everything } = await readCriteria(context, { ...rules, project: "", repository_id: 0 });
  const place = group ?? project ?? "";
  if (!isPreview) await refuseUnasked(context, { action: `delete tags of all repositories of ${place}` });
  const words = ["registry", "prune", ...flagWords({ group, project, match, via, ...rules })];
  const journal =
    file === undefined || isPreview
      ? undefined
      : await openJournal(context, file, await headOf(context, commandLine(words)));
  try {
    const details = isPreview || sizes ? "all" : "undecided";
    const criteriaOf = (at: { project: string; repository_id: number }) =>
      readCriteria({ ...context, warn: () => undefined }, { ...rules, ...at, wait, wait_timeout });
    const { surveyed, clock } = await surveyAll(context, { project, group, fits, via, details, isSaved }, criteriaOf);
    // A saved plan is carried out tag by tag; what only the instance can decide is not in it.
    if (via === "tags" && save === undefined) refuseOtherClock(clock);
    if (isPreview) {
      await journal?.close();
      if (save !== undefined) await (await import("./saved-plan.ts")).savePlan(context, save, surveyed);
      return previewOf(context, surveyed, { clock, via, sizes, only, saved: save });
    }
    await askAll(context, surveyed, { project, group, everything, clock, via, sizes });
    const flags = { journal: file, wait, wait_timeout, sizes };
    const again = commandLine([...words, ...flagWords(flags), ...confirmed(context)]);
    const { closing, byTag, inBulk } = await import("./deletions.ts");
    const rows = await (via === "tags" ? byTag : inBulk)(context, { surveyed, journal, again });
    const columns =
      via === "tags" ? ["path", "name", "status", "error"] : ["path", "status", "deleted", "next_allowed_at", "error"];
    return { rows: closing(rows, journal), columns, validIfPartial: true };
  } catch (error) {
    await journal?.close();
    throw error;
  }
}
