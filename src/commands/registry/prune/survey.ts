import { getTag, listTags, type RegistryTagDetails } from "../../../api/endpoints/registry.ts";
import type { Row } from "../../../api/field.ts";
import { Failure, undefinedOn } from "../../../base/errors.ts";
import type { Context } from "../../../context.ts";
import { mapWithProgress } from "../../../verbs/collected.ts";
import type { Plan } from "./plan.ts";
import { type Decision, decide, needsTimes, ruleByName, type TieBreak } from "./selection.ts";

type TagDetails = Row<typeof RegistryTagDetails.shape>;

/** A tag, with its details if they were requested. */
type SurveyedTag = Pick<TagDetails, "name"> & Partial<TagDetails>;

/**
 * Every tag of the repository with the decision of the rules, newest first.
 *
 * @param details of `all` tags, or only of those that are `undecided` by name: of the others only the names are known
 */
export async function survey(
  context: Context,
  plan: Plan,
  ties: TieBreak,
  details: "all" | "undecided",
): Promise<Decision<SurveyedTag>[]> {
  const isOpen = (name: string) => needsTimes(plan.rules) && ruleByName(name, plan.rules) === undefined;
  const tags = await tagsOf(context, plan, details === "all" ? () => true : isOpen);
  return decide(tags, plan.rules, { now: context.now(), ties });
}

/** A repository, and what the rules decide about its tags. */
export interface SurveyedRepository {
  plan: Plan;
  repository: { id: number; path: string };
  decisions: Decision<SurveyedTag>[];
}

/** The tags that the rules select, with those of a tie, which the instance may keep. */
export function deletionsOf({ decisions }: SurveyedRepository): SurveyedTag[] {
  return decisions.filter(({ verdict }) => verdict !== "KEEP").map(({ tag }) => tag);
}

/** Whether only the instance can decide on some of its tags, so that a bulk delete skips it. */
export function isTied({ decisions }: SurveyedRepository): boolean {
  return decisions.some(({ verdict }) => verdict === "EITHER");
}

interface Selection {
  /** The names that the rules select. */
  selected: string[];
  /** Those that the instance may keep or delete because of a tie. */
  either: string[];
  /** How many tags the repository has. */
  total: number;
}

/** What the rules select. Details are requested only if names do not decide. */
export async function select(context: Context, plan: Plan, ties: TieBreak): Promise<Selection> {
  const decisions = await survey(context, plan, ties, "undecided");
  const those = (wanted: string) => decisions.filter(({ verdict }) => verdict === wanted).map(({ tag }) => tag.name);
  return { selected: those("DELETE"), either: those("EITHER"), total: decisions.length };
}

/** The current tags of the repository. */
export async function namesOf(context: Context, { at }: Plan): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of context.api.list(listTags, at, { limit: undefined })) {
    // A deletion is sent by name, so a missing name is an error.
    if (typeof name !== "string" || name === "") throw nameless();
    names.push(name);
  }
  return names;
}

async function tagsOf(context: Context, plan: Plan, isOpen: (name: string) => boolean): Promise<SurveyedTag[]> {
  const names = await namesOf(context, plan);
  const found = await mapWithProgress(context, "reading tags", names.filter(isOpen), async (name) => {
    // A tag that was deleted since it was listed needs no decision.
    const tag = await context.api.call(getTag, { ...plan.at, tag_name: name }).catch(undefinedOn("notFound"));
    return tag && { ...tag, name };
  });
  const decided = names.filter((name) => !isOpen(name)).map((name) => ({ name }));
  return [...found.filter((tag) => tag !== undefined), ...decided];
}

function nameless(): Failure {
  return new Failure("refused", "the tags could not be read", {
    code: "unexpected_answer",
    reason: "a tag in the list has no name",
  });
}
