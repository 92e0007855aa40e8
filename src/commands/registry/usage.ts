import { goneTags } from "../../api/absence.ts";
import {
  getRepository,
  getTag,
  listGroupRepositories,
  listProjectRepositories,
  listTags,
} from "../../api/endpoints/registry.ts";
import { group, project } from "../../api/endpoints/scope.ts";
import { boolean, bytes, entity, id, integer, nullable, oneOf, share, uncut } from "../../api/field.ts";
import { compareTexts } from "../../base/compare-texts.ts";
import { UsageError, undefinedOn } from "../../base/errors.ts";
import { byteSize, counted, groupDigits } from "../../base/wording.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { distinct } from "../../jobs/bulk.ts";
import { concurrently } from "../../jobs/concurrently.ts";
import { choose } from "../../verbs/choose.ts";
import { collected, mapWithProgress } from "../../verbs/row-collection.ts";
import { mostTags, warnOfMore } from "./most-tags.ts";

const RegistryUsage = entity("RegistryUsage", {
  id: id("Repository ID"),
  path: uncut("Repository path"),
  project_id: integer(),
  tags: nullable(integer("Number of tags; without --sizes, instances count 10,000 at most")),
  size: nullable(bytes("Size of all images, each counted once; null if unknown")),
  share: share("Share of the total, from 0 to 1"),
});

interface Usage {
  id: number;
  path: string;
  project_id: number;
  tags: number | null;
  size: number | null;
}

export const usage = command({
  name: "usage",
  summary: "Show the repositories of a project or a group, largest first",
  details:
    "Sizes come from the instance if it returns them. With --sizes they are added up from the tags, one request per tag, " +
    "counting shared images once. Instances count no more than 10,000 tags of a repository, of which a warning names each; " +
    "--sizes counts all that are listed.",
  params: {
    project,
    group,
    by: oneOf(["tags", "size"], "Sort by this (default size with --sizes, otherwise tags)"),
    sizes: boolean("Add up the sizes of the tags: one request per tag"),
  },
  requests: [listProjectRepositories, listGroupRepositories, getRepository, listTags, getTag],
  returns: RegistryUsage,
  prints: "rows",
  examples: [
    { line: "registry usage -p acme/storefront" },
    { line: "registry usage -g acme --sizes -o csv", note: "for a spreadsheet" },
  ],
  related: ["registry prune", "registry list"],
  async run(context, { project, group, sizes = false, by = sizes ? "size" : "tags" }) {
    const repositories = await repositoriesOf(context, { project, group });
    const read = (each: Repository) => usageOf(context, each, sizes);
    const found = await mapWithProgress(context, "reading repositories", repositories, read);
    if (!sizes) warnOfMost(context, found);
    const amount = (each: Usage) => each[by] ?? 0;
    const total = found.reduce((sum, each) => sum + amount(each), 0);
    if (by === "size" && !sizes && found.length > 0 && found.every(({ size }) => size === null)) {
      throw new UsageError("the instance returns no sizes", { hint: "add --sizes, to add up the sizes of the tags" });
    }
    const rows = found
      .sort((a, b) => amount(b) - amount(a) || compareTexts(a.path, b.path))
      .map((each) => ({ ...each, share: total === 0 ? 0 : Math.round((amount(each) / total) * 10_000) / 10_000 }));
    return {
      rows,
      columns: ["id", "path", "tags", "size", "share"],
      summary: () => ({ text: summaryOf(found, by, total) }),
    };
  },
});

/** The order and the shares are wrong then, so that a report cannot do without the names. */
function warnOfMost(context: Context, found: readonly Usage[]): void {
  const most = found.filter(({ tags }) => tags === mostTags).map(({ path }) => path);
  if (most.length === 0) return;
  context.warn(`${most.join(", ")}: instances count 10,000 tags at most; there may be more, which --sizes counts`);
}

/** `3 repositories, 1.2 GiB`; a sum without one of them is not called the sum of all. */
function summaryOf(found: readonly Usage[], by: "tags" | "size", total: number): string {
  const all = counted(found.length, "repository", "repositories");
  const sum = by === "size" ? byteSize(total) : counted(total, "tag");
  const unknown = found.filter((each) => each[by] === null).length;
  if (unknown === 0) return `${all}, ${sum}`;
  return `${all}, ${sum} without ${groupDigits(unknown)} whose ${by === "size" ? "size is" : "tags are"} not known`;
}

interface Repository {
  id: number;
  path: string;
  project_id: number;
}

export async function repositoriesOf(
  context: Context,
  scope: { project?: string | undefined; group?: string | undefined },
): Promise<Repository[]> {
  const rows = context.api.list(choose([listProjectRepositories, listGroupRepositories], scope), scope, {
    limit: undefined,
  });
  const found = (await collected(rows)).map(({ id, path, project_id }) => ({ id, path, project_id }));
  // One that is created while the list is read shifts its pages: two of them may show the same.
  return distinct(found, ({ id }) => id);
}

async function usageOf(context: Context, { id, path, project_id }: Repository, sizes: boolean): Promise<Usage> {
  if (sizes)
    return { id, path, project_id, ...(await addedUp(context, { project: String(project_id), repository_id: id })) };
  const { tags_count: tags, size } = await context.api.call(getRepository, {
    repository_id: id,
    tags_count: true,
    size: true,
  });
  return { id, path, project_id, tags: tags ?? null, size: size ?? null };
}

/** Tags of one image share its digest, and its size counts once. */
async function addedUp(context: Context, at: { project: string; repository_id: number }) {
  const listed = await collected(context.api.list(listTags, at, { limit: undefined }));
  const names = new Set(listed.map(({ name }) => name));
  warnOfMore(context, names.size, at.repository_id);
  const images = new Map<string, number | null | undefined>();
  const absent: string[] = [];
  let tags = 0;
  const read = async (tag_name: string) =>
    (await context.api.call(getTag, { ...at, tag_name }).catch(undefinedOn("notFound"))) ?? tag_name;
  for await (const found of concurrently(names, read, { limit: context.config.concurrency, ordered: true })) {
    if (typeof found === "string") absent.push(found);
    else images.set(found.digest ?? found.name, found.total_size);
    tags += 1;
  }
  // What was deleted since it was listed does not count.
  const gone = absent.length === 0 ? 0 : (await goneTags(context.api, at, absent)).length;
  // A sum without one of them would be a wrong size.
  const known = [...images.values()].filter((size) => typeof size === "number");
  const isWhole = known.length === images.size && gone === absent.length;
  return { tags: tags - gone, size: isWhole ? known.reduce((sum, size) => sum + size, 0) : null };
}
