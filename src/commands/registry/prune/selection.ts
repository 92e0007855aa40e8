import { timeIn } from "../../../base/answered-value.ts";
import { compareTexts } from "../../../base/compare-texts.ts";
/** The fields that the rules of a bulk delete use. */
export interface Tag {
  name: string;
  /** Time of the manifest, ISO 8601; some tags have none. */
  created_at?: string | null | undefined;
}

/** The rules of `1-project-api: Bulk delete rules`, patterns compiled. */
export interface Rules {
  deletes(name: string): boolean;
  keeps?: ((name: string) => boolean) | undefined;
  keepN?: number | undefined;
  /** Seconds. */
  olderThan?: number | undefined;
}

/**
 * Which rule decided: `no_match` (the delete pattern does not match), `keep_regex`, `latest`, `keep_n`, `older_than`
 * (it is too young), and `protected` (by a rule of the instance) keep a tag; `delete_regex` deletes it, since no other
 * rule keeps it. `last_push` and `unreadable` are why only the instance can decide.
 */
export type Rule =
  | "no_match"
  | "keep_regex"
  | "latest"
  | "keep_n"
  | "older_than"
  | "protected"
  | "delete_regex"
  | Doubt;

/**
 * Why the order and the age of tags are not known here: the instance decides by a time that it does not show, or the
 * details of a tag cannot be read.
 */
export type Doubt = "last_push" | "unreadable";

export interface Decision<T extends Tag> {
  tag: T;
  /** EITHER: the instance may keep it or delete it. */
  verdict: "KEEP" | "DELETE" | "EITHER";
  rule: Rule;
}

/**
 * What breaks a tie at the end of what `keep_n` keeps. Tags of one manifest have the same time, and their order is not
 * documented: in a bulk delete the instance decides, tag by tag the name does.
 */
export type TieBreak = "instance" | "name";

/** The deciding rule if a tag's name is enough; undefined otherwise. */
export function ruleByName(name: string, rules: Rules): Rule | undefined {
  if (!rules.deletes(name)) return "no_match";
  if (rules.keeps?.(name)) return "keep_regex";
  return name === "latest" ? "latest" : undefined;
}

/** Whether the rules need more than names. */
export function needsTimes(rules: Rules): boolean {
  return rules.keepN !== undefined || rules.olderThan !== undefined;
}

/**
 * Decides on every tag, in the documents' order: delete pattern, keep pattern, `latest`, `keep_n`, `older_than`.
 * `keep_n` counts only tags that the rules before it do not keep. Newest first; a tag without a time counts as new, as
 * on the platform, so that it is never deleted for its age. One whose time is none takes no place of `keep_n`, and of
 * what is deleted `here` none without a time does, as those of images for several platforms: which of them are the
 * newest is not known, so they stay beside those that are known to be. With a `doubt`, what depends on times is EITHER.
 */
export function decide<T extends Tag>(
  tags: readonly T[],
  rules: Rules,
  { now, ties, doubt, isHere }: { now: Date; ties: TieBreak; doubt?: Doubt | undefined; isHere: boolean },
): Decision<T>[] {
  const limit = rules.olderThan === undefined ? Number.POSITIVE_INFINITY : now.getTime() - rules.olderThan * 1000;
  const isYoung = (tag: T) => rules.olderThan !== undefined && timeOf(tag) >= limit;
  const takesPlace = (tag: Tag) => (isHere ? timeOf(tag) !== Number.POSITIVE_INFINITY : !isOdd(tag));
  const sorted = newestFirst(tags);
  const tied = ties === "instance" ? tieAtTheEnd(sorted.filter(takesPlace), rules) : undefined;
  const open = sorted.filter(({ name }) => ruleByName(name, rules) === undefined).length;
  // If all of them are among the newest that are kept, no time decides.
  const unsure = needsTimes(rules) && open > (rules.keepN ?? 0) ? doubt : undefined;
  let left = rules.keepN ?? 0;
  return sorted.map((tag) => {
    const named = ruleByName(tag.name, rules);
    if (unsure !== undefined && named === undefined) return { tag, rule: unsure, verdict: "EITHER" };
    const undecided = named === undefined && timeOf(tag) === tied && !isYoung(tag);
    const rule = named ?? ruleByTime(tag);
    if (undecided) return { tag, rule: "keep_n", verdict: "EITHER" };
    return { tag, rule, verdict: rule === "delete_regex" ? "DELETE" : "KEEP" };
  });

  function ruleByTime(tag: T): Rule {
    if (left > 0) {
      if (takesPlace(tag)) left -= 1;
      return "keep_n";
    }
    return isYoung(tag) ? "older_than" : "delete_regex";
  }
}

/** The time of both the last tag that `keep_n` keeps and the first that it does not; undefined if they differ. */
function tieAtTheEnd(sorted: readonly Tag[], rules: Rules): number | undefined {
  const counted = sorted.filter((tag) => ruleByName(tag.name, rules) === undefined);
  const [last, next] = rules.keepN ? [counted[rules.keepN - 1], counted[rules.keepN]] : [];
  if (last === undefined || next === undefined) return undefined;
  return timeOf(last) === timeOf(next) ? timeOf(last) : undefined;
}

function newestFirst<T extends Tag>(tags: readonly T[]): T[] {
  return [...tags].sort((a, b) => {
    const [first, second] = [timeOf(a), timeOf(b)];
    if (first !== second) return first > second ? -1 : 1;
    return compareTexts(a.name, b.name);
  });
}

/** Whether its time is none: it stays, in addition to the newest, since it may be older than all of them. */
function isOdd({ created_at: time }: Tag): boolean {
  return typeof time === "string" && timeIn(time) === undefined;
}

function timeOf(tag: Tag): number {
  return timeIn(tag.created_at) ?? Number.POSITIVE_INFINITY;
}
