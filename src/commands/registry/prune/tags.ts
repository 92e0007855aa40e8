import { deleteTag, getTag } from "../../../api/endpoints/registry.ts";
import { Failure } from "../../../base/errors.ts";
import { lookAgain } from "../../../base/look-again.ts";
import { someOf } from "../../../base/wording.ts";
import type { Context } from "../../../context.ts";
import { bulk } from "../../../jobs/bulk.ts";
import type { RowsView } from "../../../terminal/view.ts";
import { confirm } from "../../../verbs/confirm.ts";
import { deletedOrVerified } from "../../../verbs/lost-answer-check.ts";
import { pathOf } from "../repository.ts";
import { decisive, refuseMoved } from "./as-surveyed.ts";
import type { Criteria } from "./criteria.ts";
import { isRoleMissing, RoleGate } from "./role-gate.ts";
import { type Surveying, selectedIn, survey } from "./survey.ts";
import { undecided } from "./undecided-failure.ts";

/** Deletes exactly the tags that the preview marks, with one request each. */
export async function pruneByTag(
  context: Context,
  criteria: Criteria,
  surveying: Omit<Surveying, "details">,
): Promise<RowsView> {
  const select = async () => {
    const decisions = await survey(context, criteria, { ...surveying, details: "undecided" });
    const problem = undecided(criteria, decisions);
    if (problem !== undefined) throw problem;
    const selected = selectedIn(decisions).map((tag) => ({
      name: tag.name,
      image: decisive(criteria.rules, tag),
    }));
    return { selected, total: decisions.length };
  };
  const { selected, total } = await select();
  if (selected.length === 0) context.notice("nothing to delete: the rules select no tag");
  else {
    await confirm(context, {
      action: `delete ${selected.length} of ${total} tags: ${someOf(selected.map(({ name }) => name))} (repository ${criteria.at.repository_id}, project ${criteria.at.project})`,
      typed: criteria.everything ? () => pathOf(context, criteria.at.repository_id) : undefined,
    });
  }
  return {
    rows: rounds(context, criteria, selected, select),
    columns: ["tag_name", "status", "error"],
    validIfPartial: true,
  };
}

interface Selected {
  readonly name: string;
  /** Of the image that its time is of, if that decided. */
  readonly image: string | undefined;
}

/** One round; with --repeat, until the rules select nothing more in the repository. */
async function* rounds(
  context: Context,
  criteria: Criteria,
  first: readonly Selected[],
  select: () => Promise<{ selected: Selected[] }>,
): AsyncGenerator<object> {
  const again = `forgectl ${criteria.line("--via", "tags", ...(criteria.repeat ? ["--repeat"] : []))}`;
  const gate = new RoleGate(context, "tags");
  const tried = new Set<string>();
  const isTried = ({ name }: Selected) => tried.has(name);
  const next = () =>
    lookAgain(
      async () => (await select()).selected,
      (selected) => !selected.some(isTried),
      context.sleep,
    );
  for (let selected = first; selected.length > 0; selected = await next()) {
    if (selected.every(isTried)) throw stillListed(selected, criteria);
    const label = ({ name }: Selected) => ({ tag_name: name });
    const act = async ({ name: tag_name, image }: Selected) => {
      const tag = { ...criteria.at, tag_name };
      const look = () => refuseMoved(context, tag, image);
      const deletion = () => context.api.call(deleteTag, tag, { afterWait: look });
      await gate.pass(criteria.at.project, async () => {
        await look();
        await deletedOrVerified(context, deletion, (api) => api.call(getTag, tag), `tag ${tag_name}`);
      });
      return { tag_name, status: "deleted" };
    };
    yield* await bulk(context, selected, act, label, { again, ends: isRoleMissing });
    if (!criteria.repeat) return;
    for (const { name } of selected) tried.add(name);
  }
}

function stillListed(selected: readonly Selected[], criteria: Criteria): Failure {
  const names = selected.map(({ name }) => name).join(", ");
  return new Failure("notReady", `tags are still listed after they were deleted: ${names}`, {
    hint: `forgectl ${criteria.line("--via", "tags", "--repeat")}`,
    retryable: true,
  });
}
