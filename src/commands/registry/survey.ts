import { getTag, listTags, type RegistryTagDetails } from "../../api/endpoints/registry.ts";
import type { Row } from "../../api/field.ts";
import { ordered } from "../../command/bulk.ts";
import type { Context } from "../../context.ts";
import { Failure } from "../../errors.ts";
import { type Decision, decide, needsTimes, ruleByName } from "../../registry/selection.ts";
import type { Plan } from "./plan.ts";

type TagDetails = Row<typeof RegistryTagDetails.shape>;

/** Every tag of the repository with what the rules say of it, newest first. */
export async function survey(context: Context, plan: Plan): Promise<Decision<TagDetails>[]> {
  const tags = await detailsOf(context, plan, await namesOf(context, plan));
  return decide(tags, plan.rules, context.now());
}

/** The names that the rules select. Details are asked for only where names do not decide. */
export async function selected(context: Context, plan: Plan): Promise<string[]> {
  const names = (await namesOf(context, plan)).filter((name) => ruleByName(name, plan.rules) === undefined);
  if (!needsTimes(plan.rules)) return names;
  const decisions = decide(await detailsOf(context, plan, names), plan.rules, context.now());
  return decisions.filter(({ verdict }) => verdict === "DELETE").map(({ tag }) => tag.name);
}

/** All tags that the repository has now. */
export async function namesOf(context: Context, { at }: Plan): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of context.api.list(listTags, at, { limit: undefined })) names.push(name);
  return names;
}

async function detailsOf(context: Context, { at }: Plan, names: readonly string[]): Promise<TagDetails[]> {
  const task = context.progress.start("reading tags", { total: names.length, unit: "items" });
  const found: TagDetails[] = [];
  try {
    let done = 0;
    const ask = (tag_name: string) => context.api.call(getTag, { ...at, tag_name }).catch(unlessGone);
    for await (const tag of ordered(names, ask, context.config.concurrency)) {
      task.update(++done);
      if (tag !== undefined) found.push(tag);
    }
  } finally {
    task.stop();
  }
  return found;
}

/** A tag that was deleted since it was listed needs no decision. */
function unlessGone(error: unknown): undefined {
  if (error instanceof Failure && error.exit === "notFound") return undefined;
  throw error;
}
