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
import { verdictTones } from "../../../base/tone.ts";
import { byteSize } from "../../../base/wording.ts";
import type { Context } from "../../../context.ts";
import { command } from "../../../declare/command.ts";
import type { View } from "../../../terminal/view.ts";
import { bulk } from "../../../verbs/bulk.ts";
import { lookedAt } from "../../../verbs/collected.ts";
import { confirm } from "../../../verbs/confirm.ts";
import { type Journal, openJournal } from "../../../verbs/journal.ts";
import { deletedOrLookedAt } from "../../../verbs/lost.ts";
import { repositoriesOf } from "../usage.ts";
import { nextAllowed, rememberCall } from "./hour.ts";
import { type Plan, readPlan, ruleFlags } from "./plan.ts";
import type { Decision } from "./selection.ts";
import { survey } from "./survey.ts";

const PrunedTag = entity("PrunedTag", {
  repository_id: repositoryId,
  path: string("Repository path"),
  name: string("Tag; empty for a whole repository"),
  verdict: string("KEEP, DELETE, or EITHER: a tie that the instance breaks", { tones: verdictTones }),
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
    "that must wait are named. --via tags deletes exactly what the preview shows. Deleting a tag never breaks an image " +
    "that has another tag.",
  params: {
    project,
    group,
    ...ruleFlags,
    keep_n: { ...ruleFlags.keep_n, description: `${ruleFlags.keep_n.description}, in each repository` },
    match: string("Only repositories whose path matches; ** matches anything", { placeholder: "glob" }),
    via: oneOf(["bulk", "tags"], "One call per repository in the background, or one deletion per tag", {
      default: "bulk",
    }),
    sizes: boolean("Show the size that only the deleted tags use"),
    journal: string("Record completed work in this file, and skip it in a repeated run", {
      placeholder: "file",
      completes: "file",
    }),
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
  async run(context, { match, via = "bulk", sizes = false, journal, project, group, ...rules }): Promise<View> {
    const fits = match === undefined ? () => true : globOf(match);
    // What is wrong with the rules is said before anything is asked.
    await readPlan(context, { ...rules, project: "", repository_id: 0 });
    // Without a prompt and without --yes it ends here, before any request.
    const place = group ?? project ?? "";
    if (!context.prompt.available) await confirm(context, { action: `delete tags of all repositories of ${place}` });
    const looked = await look(context, { project, group, fits, via }, (at) => readPlan(context, { ...rules, ...at }));
    for (const each of looked) context.notice(summaryOf(each, sizes));
    if (context.config.dryRun) return { rows: looked.flatMap(previewRows), columns: previewColumns };
    await askAll(context, looked, place);
    const kept =
      journal === undefined
        ? undefined
        : await openJournal(context, journal, {
            command: `registry prune ${group ?? project} ${JSON.stringify(rules)}`,
            instance: context.config.baseUrl?.value ?? "",
          });
    const rows = via === "tags" ? await byTag(context, looked, kept) : await inBulk(context, looked, kept);
    const columns =
      via === "tags" ? ["path", "name", "status", "error"] : ["path", "status", "deleted", "next_allowed_at", "error"];
    return { rows: closing(rows, kept), columns, stands: true };
  },
});

const previewColumns = ["path", "name", "verdict", "rule", "created_at", "total_size"];

interface Looked {
  plan: Plan;
  repository: { id: number; path: string };
  decisions: Decision<{ name: string; created_at?: string | null; total_size?: number; digest?: string }>[];
}

interface Choice {
  project: string | undefined;
  group: string | undefined;
  fits(path: string): boolean;
  via: "bulk" | "tags";
}

async function look(
  context: Context,
  { project, group, fits, via }: Choice,
  planOf: (at: { project: string; repository_id: number }) => Promise<Plan>,
): Promise<Looked[]> {
  const repositories = (await repositoriesOf(context, { project, group })).filter(({ path }) => fits(path));
  if (repositories.length === 0) throw new UsageError("no repository matches", { hint: "forgectl registry list" });
  return lookedAt(context, "reading repositories", repositories, async (repository) => {
    const plan = await planOf({ project: String(repository.project_id), repository_id: repository.id });
    return { plan, repository, decisions: await survey(context, plan, via === "bulk" ? "instance" : "name") };
  });
}

function doomed({ decisions }: Looked) {
  return decisions.filter(({ verdict }) => verdict !== "KEEP").map(({ tag }) => tag);
}

function summaryOf(each: Looked, sizes: boolean): string {
  const gone = doomed(each);
  const held = sizes ? `, ${byteSize(freed(each))} that no other tag holds` : "";
  return `${each.repository.path}: ${gone.length} of ${each.decisions.length} tags${held}`;
}

/** Bytes of the images that no tag names any more, each counted once. */
function freed({ decisions }: Looked): number {
  const stays = new Set(decisions.filter(({ verdict }) => verdict === "KEEP").map(({ tag }) => tag.digest));
  const goes = new Map(
    decisions.flatMap(({ tag }) => (stays.has(tag.digest) ? [] : [[tag.digest, tag.total_size ?? 0] as const])),
  );
  return [...goes.values()].reduce((sum, size) => sum + size, 0);
}

function previewRows({ repository, decisions }: Looked): object[] {
  return decisions.map(({ tag, verdict, rule }) => {
    const { name, created_at, total_size } = tag;
    return { repository_id: repository.id, path: repository.path, name, verdict, rule, created_at, total_size };
  });
}

async function askAll(context: Context, looked: readonly Looked[], place: string): Promise<void> {
  const gone = looked.reduce((sum, each) => sum + doomed(each).length, 0);
  const all = looked.reduce((sum, { decisions }) => sum + decisions.length, 0);
  if (gone === 0) return context.notice("nothing to delete: the rules select no tag");
  const everything = looked[0]?.plan.everything === true;
  await confirm(context, {
    action: `delete ${gone} of ${all} tags in ${looked.length} repositories of ${place}`,
    typed: everything ? place : undefined,
  });
}

/** Exactly the tags of the preview, side by side over all repositories. */
function byTag(context: Context, looked: readonly Looked[], journal: Journal | undefined) {
  const items = looked.flatMap((each) =>
    doomed(each).map(({ name }) => ({ ...each.repository, at: each.plan.at, name })),
  );
  const idOf = ({ id, name }: (typeof items)[number]) => `${id}/${name}`;
  const left = items.filter((item) => journal?.seen.get(idOf(item))?.status !== "deleted");
  return bulk(
    context,
    left,
    async (item) => {
      const { id: repository_id, path, name, at } = item;
      await journal?.begin(idOf(item));
      const tag = { ...at, tag_name: name };
      const deletion = () => context.api.call(deleteTag, tag);
      await deletedOrLookedAt(context, deletion, (api) => api.call(getTag, tag), `tag ${name}`);
      await journal?.end(idOf(item), "deleted");
      return { repository_id, path, name, status: "deleted", error: null };
    },
    ({ id: repository_id, path, name }) => ({ repository_id, path, name }),
  );
}

/** One call a repository; those that were called within the hour wait, and those with a tie are left alone. */
function inBulk(context: Context, looked: readonly Looked[], journal: Journal | undefined) {
  const todo = looked.filter((each) => doomed(each).length > 0);
  const left = todo.filter(({ repository }) => journal?.seen.get(String(repository.id))?.status !== "scheduled");
  return bulk(
    context,
    left,
    async (each) => {
      const { repository, plan, decisions } = each;
      const row = { repository_id: repository.id, path: repository.path, deleted: doomed(each).length, error: null };
      if (decisions.some(({ verdict }) => verdict === "EITHER")) {
        return { ...row, status: "skipped", next_allowed_at: null, error: "a tie is undecided: use --via tags" };
      }
      const waits = await nextAllowed(context, repository.id);
      if (waits !== undefined) return { ...row, status: "waiting", next_allowed_at: waits };
      await journal?.begin(String(repository.id));
      await context.api.call(deleteTagsInBulk, { ...plan.at, ...plan.sent });
      await journal?.end(String(repository.id), "scheduled");
      return { ...row, status: "scheduled", next_allowed_at: await rememberCall(context, repository.id) };
    },
    ({ repository }) => ({ repository_id: repository.id, path: repository.path }),
  );
}

async function* closing(rows: AsyncIterable<object> | object[], journal: Journal | undefined): AsyncGenerator<object> {
  try {
    yield* rows;
  } finally {
    await journal?.close();
  }
}
