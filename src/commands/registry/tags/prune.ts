import {
  deleteTag,
  deleteTagsInBulk,
  getTag,
  listTagProtectionRules,
  listTags,
  repositoryId,
} from "../../../api/endpoints/registry.ts";
import { project } from "../../../api/endpoints/scope.ts";
import { boolean, oneOf, required } from "../../../api/field.ts";
import { UsageError } from "../../../base/errors.ts";
import { command } from "../../../declare/command.ts";
import { refuseUnasked } from "../../../verbs/confirm.ts";
import { waitTimeout } from "../../../verbs/poll.ts";
import { clockOf, refuseOtherClock } from "../prune/clock.ts";
import { defaultWaitSeconds, Pruned, readCriteria, ruleFlags, waitsForBulk } from "../prune/criteria.ts";
import { Protections } from "../prune/protection.ts";

export const prune = command({
  name: "prune",
  summary: "Delete the tags that a pattern matches, except those that other rules keep",
  details:
    "--dry-run is the preview: every tag, newest first, with KEEP or DELETE and the rule that decided. The rules, in " +
    "order: --delete-regex must match (no_match), --keep-regex must not (keep_regex), latest is kept (latest), and so are " +
    "the newest of the rest (keep_n) and tags that are too young (older_than); the others are deleted (delete_regex). Patterns " +
    "are RE2 and must match a whole name: the platform anchors them at both ends. Tags that a rule of the instance " +
    "protects stay (protected). --via bulk lets the platform delete in the background, in one call, allowed once an hour per " +
    "repository and limited in volume on the hosted offering. --via tags deletes exactly what the preview shows, tag " +
    "by tag, without either limit. Tags of one image have the same time: if --keep-n keeps only some of them, " +
    "only the instance knows which (EITHER), and --via bulk is refused (exit 2). A listed tag whose details are not " +
    "found has no age, and what needs one is refused (exit 1). A tag without a time, as of an image for several " +
    "platforms, counts as new: the platform counts it among the newest that --keep-n keeps, and --via tags keeps it " +
    "in addition to them. Ages are those of the images; registries with " +
    "the service's own API, which list tags by cursor, decide by the last push instead and do not show it. There, " +
    "what depends on --keep-n or --older-than is EITHER (last_push): --via bulk lets the instance decide, --via tags " +
    "is refused.",
  args: { repository_id: required(repositoryId) },
  params: {
    project: required(project),
    ...ruleFlags,
    via: oneOf(["bulk", "tags"], "One call in the background, or one deletion per tag", { default: "bulk" }),
    repeat: boolean("Repeat until the rules select no more tags"),
    wait: boolean("Wait until the platform has deleted the tags, with --via bulk"),
    wait_timeout: waitTimeout(
      defaultWaitSeconds,
      "With --wait or --repeat, and --via bulk: maximum wait in seconds for the platform to delete",
    ),
  },
  requests: [deleteTagsInBulk, deleteTag, listTags, getTag, listTagProtectionRules],
  returns: Pruned,
  examples: [
    {
      line: "registry tags prune 12 -p acme/storefront --delete-regex 'nightly-.*' --older-than '1 week' --dry-run",
      note: "preview",
    },
    { line: "registry tags prune 12 -p acme/storefront --delete-regex 'nightly-.*' --older-than '1 week'" },
    {
      line: "registry tags prune 12 -p acme/storefront --delete-regex '[0-9a-f]{8}' --keep-n 5 --via tags --yes",
      note: "all except the five newest commits",
    },
  ],
  related: ["registry tags list", "registry tags delete"],
  async run(context, input) {
    const { via = "bulk", repeat = false, wait = false } = input;
    if (wait && via === "tags") throw new UsageError(waitsForBulk);
    if (input.wait_timeout !== undefined && !((wait || repeat) && via === "bulk")) {
      throw new UsageError("--wait-timeout needs --wait or --repeat, and --via bulk");
    }
    const criteria = await readCriteria(context, input);
    await refuseUnasked(context, { action: `delete ${criteria.words}` });
    const clock = await clockOf(context, criteria);
    if (via === "tags") refuseOtherClock(clock);
    const surveying = { via, clock, protections: new Protections(context) };
    if (context.config.dryRun) return (await import("../prune/preview.ts")).preview(context, criteria, surveying);
    if (via === "tags") return (await import("../prune/tags.ts")).pruneByTag(context, criteria, surveying);
    return (await import("../prune/bulk.ts")).pruneInBulk(context, criteria, surveying);
  },
});
