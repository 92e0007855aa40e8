import { repositoryId } from "../../../api/endpoints/registry.ts";
import { entity, integer, outcome, required, string, timestamp, uncut } from "../../../api/field.ts";
import { readDuration } from "../../../base/duration.ts";
import { commandLine } from "../../../base/shell-words.ts";
import { verdictTones } from "../../../base/tone.ts";
import type { Context } from "../../../context.ts";
import { confirmed } from "../../../verbs/confirm.ts";
import type { Rules } from "./selection.ts";

/** The result of a prune: of one call for all tags, or of a tag. */
export const Pruned = entity("Pruned", {
  repository_id: repositoryId,
  status: outcome(),
  deleted: integer("Number of deleted tags, with --wait or --repeat"),
  next_allowed_at: timestamp("When the next bulk delete of the repository is allowed"),
  tag_name: uncut("With --via tags"),
  error: uncut("With --via tags"),
});

export const verdict = string("KEEP, DELETE, or EITHER: a tie that the instance breaks", { tones: verdictTones });

const pattern = (description: string) => string(description, { placeholder: "re2" });

/** The flags that select the tags to delete. */
export const ruleFlags = {
  delete_regex: required(pattern("Names to delete; .* matches all")),
  keep_regex: pattern("Names to keep, even if --delete-regex matches"),
  keep_n: integer("Keep this many of the newest that match", { placeholder: "n", min: 0 }),
  older_than: string("Delete only older tags: 1h, 1d, 2 weeks, 1month (30 days)", { placeholder: "1h|1d|1month" }),
};

export const defaultWaitSeconds = 300;

/** The error for `--wait` with `--via tags`. */
export const waitsForBulk = "--wait needs --via bulk: --via tags is done when it ends";

interface PruneInput {
  project: string;
  repository_id: number;
  delete_regex: string;
  keep_regex?: string | undefined;
  keep_n?: number | undefined;
  older_than?: string | undefined;
  via?: "bulk" | "tags" | undefined;
  repeat?: boolean | undefined;
  wait?: boolean | undefined;
  wait_timeout?: number | undefined;
}

/** Which tags a prune selects, and how it deletes them: its flags, parsed, before any request. */
export interface Criteria {
  /** The location of the tags. */
  at: { project: string; repository_id: number };
  rules: Rules;
  /** The parameters of a bulk delete. */
  sent: {
    name_regex_delete: string;
    name_regex_keep?: string | undefined;
    keep_n?: number | undefined;
    older_than?: string | undefined;
  };
  /** The delete pattern matches every name. */
  everything: boolean;
  /** The rules in words, for questions: `the tags of repository 12 in project 7 that match x`. */
  words: string;
  repeat: boolean;
  /** The flag that makes a bulk delete wait. */
  waiting: "--wait" | "--repeat" | undefined;
  waitSeconds: number;
  /** The same command again with these flags, without the program's name. */
  line(...flags: string[]): string;
}

/** Reads patterns and durations as the platform does; what it would refuse is an error here. */
export async function readCriteria(context: Context, input: PruneInput): Promise<Criteria> {
  const { project, repository_id, delete_regex, keep_regex, keep_n, older_than } = input;
  const { matchesEverything, readPattern } = await import("./pattern.ts");
  const deletes = readPattern(delete_regex, "--delete-regex");
  const keeps = keep_regex === undefined ? undefined : readPattern(keep_regex, "--keep-regex");
  if (keeps !== undefined && matchesEverything(keeps)) {
    context.warn(`--keep-regex ${keep_regex} keeps every tag: nothing will be deleted`);
  }
  const olderThan = older_than === undefined ? undefined : readDuration(older_than, "--older-than");
  return {
    at: { project, repository_id },
    rules: { deletes: deletes.matches, keeps: keeps?.matches, keepN: keep_n, olderThan },
    sent: { name_regex_delete: deletes.sent, name_regex_keep: keeps?.sent, keep_n, older_than: older_than?.trim() },
    everything: matchesEverything(deletes),
    words: inWords(input),
    repeat: input.repeat ?? false,
    waiting: input.repeat ? "--repeat" : input.wait ? "--wait" : undefined,
    waitSeconds: input.wait_timeout ?? defaultWaitSeconds,
    line: (...flags) => commandLine(["registry", "tags", "prune", ...wordsOf(input), ...flags, ...confirmed(context)]),
  };
}

function inWords({ project, repository_id, delete_regex, keep_regex, keep_n, older_than }: PruneInput): string {
  const limits = [
    ...(keep_regex === undefined ? [] : [`not ${keep_regex}`]),
    ...(keep_n === undefined ? [] : [`but for the ${keep_n} newest`]),
    ...(older_than === undefined ? [] : [`if older than ${older_than}`]),
  ];
  const matching = [`that match ${delete_regex}`, ...limits].join(", ");
  return `the tags of repository ${repository_id} in project ${project} ${matching}`;
}

/** The argument and the flags that select the tags. */
function wordsOf({ project, repository_id, delete_regex, keep_regex, keep_n, older_than }: PruneInput): string[] {
  return [
    ...[String(repository_id), "-p", project, "--delete-regex", delete_regex],
    ...(keep_regex === undefined ? [] : ["--keep-regex", keep_regex]),
    ...(keep_n === undefined ? [] : ["--keep-n", String(keep_n)]),
    ...(older_than === undefined ? [] : ["--older-than", older_than]),
  ];
}
