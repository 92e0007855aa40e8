import { getTag, listTags, type RegistryTagDetails } from "../../../api/endpoints/registry.ts";
import type { Row } from "../../../api/field.ts";
import { Failure, undefinedOn } from "../../../base/errors.ts";
import type { Context } from "../../../context.ts";
import { instanceClock } from "../../../verbs/instance-clock.ts";
import { mapWithProgress } from "../../../verbs/row-collection.ts";
import { warnOfMore } from "../most-tags.ts";
import type { Clock } from "./clock.ts";
import type { Criteria } from "./criteria.ts";
import type { Protections } from "./protection.ts";
import { type Decision, decide, needsTimes, ruleByName } from "./selection.ts";

type TagDetails = Row<typeof RegistryTagDetails.shape>;

/** A tag, with its details if they were requested and can be read. */
type SurveyedTag = Pick<TagDetails, "name"> & Partial<TagDetails>;

export type Decisions = readonly Decision<SurveyedTag>[];

export interface Surveying {
  via: "bulk" | "tags";
  clock: Clock;
  protections: Protections;
  /** Of `all` tags, or only of those that are `undecided` by name: of the others only the names are known. */
  details: "all" | "undecided";
  /** What is selected goes to a plan, which is carried out here. */
  isSaved?: boolean | undefined;
}

/** Every tag of the repository with the decision of the rules, newest first. */
export async function survey(context: Context, criteria: Criteria, how: Surveying): Promise<Decisions> {
  const isOpen = (name: string) => needsTimes(criteria.rules) && ruleByName(name, criteria.rules) === undefined;
  // Times that are not the platform's decide nothing.
  const isWanted = how.details === "all" ? () => true : (name: string) => how.clock === "image" && isOpen(name);
  const times = instanceClock(context);
  const { tags, unreadable } = await tagsOf({ ...context, api: times.api }, criteria, isWanted);
  const doubt = how.clock === "image" ? (unreadable.some(isOpen) ? "unreadable" : undefined) : "last_push";
  const ties = how.via === "bulk" ? "instance" : "name";
  const isOwn = how.via === "tags" && criteria.rules.olderThan !== undefined;
  const now = isOwn ? times.earlier() : times.instance();
  const isHere = how.via === "tags" || how.isSaved === true;
  return withProtection(decide(tags, criteria.rules, { now, ties, doubt, isHere }), criteria, how);
}

/** Protected tags stay. Whether a rule binds the caller may be known to the instance alone, which decides in bulk. */
async function withProtection(
  decisions: Decision<SurveyedTag>[],
  { at }: Criteria,
  { via, protections }: Surveying,
): Promise<Decisions> {
  if (decisions.every(({ verdict }) => verdict === "KEEP")) return decisions;
  const protection = await protections.in(at.project);
  return decisions.map((decision) => {
    const found = decision.verdict === "KEEP" ? "open" : protection.of(decision.tag.name);
    if (found === "open") return decision;
    const verdict = found === "protected" || via === "tags" ? "KEEP" : "EITHER";
    return { ...decision, verdict, rule: "protected" };
  });
}

/** A repository, and what the rules decide about its tags. */
export interface SurveyedRepository {
  criteria: Criteria;
  repository: { id: number; path: string; project_id: number };
  decisions: Decisions;
}

/** The tags that the rules select for certain. */
export function selectedIn(decisions: Decisions): SurveyedTag[] {
  return decisions.filter(({ verdict }) => verdict === "DELETE").map(({ tag }) => tag);
}

/** Those of them that a plan can name: their images are known. */
export function plannedIn(decisions: Decisions): (SurveyedTag & { digest: string })[] {
  return selectedIn(decisions).flatMap((tag) =>
    typeof tag.digest === "string" ? [{ ...tag, digest: tag.digest }] : [],
  );
}

/** The tags that may be deleted. */
export function candidatesIn(decisions: Decisions): SurveyedTag[] {
  return decisions.filter(({ verdict }) => verdict !== "KEEP").map(({ tag }) => tag);
}

/** How many of them the instance deletes at most. */
export function maxDeletedIn(decisions: Decisions, { rules }: Criteria): number {
  const candidates = candidatesIn(decisions).length;
  if (!decisions.some(({ rule }) => rule === "last_push")) return candidates;
  // Tags that are protected count among the newest, too.
  const counted = decisions.filter(({ rule }) => rule === "last_push" || rule === "protected").length;
  return Math.max(0, Math.min(candidates, counted - (rules.keepN ?? 0)));
}

/** Whether the instance decides on some of them when it deletes, so that their number is not known before. */
export function isInstances(decisions: Decisions): boolean {
  return decisions.some(({ verdict, rule }) => verdict === "EITHER" && (rule === "last_push" || rule === "protected"));
}

/** Why nothing can be deleted here: a tie that only the instance breaks, or details that cannot be read. */
export function blockedBy(decisions: Decisions): "tie" | "unreadable" | undefined {
  const either = decisions.filter(({ verdict }) => verdict === "EITHER");
  if (either.some(({ rule }) => rule === "unreadable")) return "unreadable";
  return either.some(({ rule }) => rule === "keep_n") ? "tie" : undefined;
}

/**
 * The current tags of the repository, each once: a push while the list is read shifts its pages, and what two of them
 * show would count twice among the newest that are kept.
 */
export async function namesOf(context: Context, { at }: Pick<Criteria, "at">): Promise<string[]> {
  const names = new Set<string>();
  for await (const { name } of context.api.list(listTags, at, { limit: undefined })) {
    // A deletion is sent by name, so an empty name is an error.
    if (name === "") throw nameless();
    names.add(name);
  }
  return [...names];
}

/** The tags, and the names of those that are listed though their details are not found. */
async function tagsOf(context: Context, criteria: Criteria, isWanted: (name: string) => boolean) {
  const names = await namesOf(context, criteria);
  warnOfMore(context, names.length, criteria.at.repository_id);
  const read = async (name: string): Promise<SurveyedTag | undefined> => {
    const tag = await context.api.call(getTag, { ...criteria.at, tag_name: name }).catch(undefinedOn("notFound"));
    return tag && { ...tag, name };
  };
  const wanted = names.filter(isWanted);
  const found = (await mapWithProgress(context, "reading tags", wanted, read)).filter((tag) => tag !== undefined);
  const rest = names.filter((name) => !isWanted(name));
  const seen = new Set([...found.map(({ name }) => name), ...rest]);
  const absent = names.filter((name) => !seen.has(name));
  // One that was deleted since it was listed is listed no more.
  const listed = absent.length === 0 ? undefined : new Set(await namesOf(context, criteria));
  const unreadable = absent.filter((name) => listed?.has(name));
  return { tags: [...found, ...[...rest, ...unreadable].map((name) => ({ name }))], unreadable };
}

function nameless(): Failure {
  return new Failure("refused", "the tags could not be read", {
    code: "unexpected_answer",
    reason: "a tag in the list has no name",
  });
}
