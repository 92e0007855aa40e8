import { listHooks } from "../api/endpoints/hooks.ts";
import { listProjectRepositories } from "../api/endpoints/registry.ts";
import { Failure, UsageError, undefinedOn } from "../base/errors.ts";
import { groupDigits } from "../base/wording.ts";
import type { Context } from "../context.ts";

// Objects that routes take by ID, and that a list shows with a name.

export type ListedName = "hook" | "repository";

interface Candidate {
  id: number;
  name: string;
  /** What tells two of one name apart. */
  label: string;
}

/** The ID of the only object with this name in a scope. None: exit 3; several: exit 2 with all of them. */
export async function idNamed(context: Context, what: ListedName, name: string, input: Record<string, unknown>) {
  const all = what === "hook" ? await hooks(context, input) : await repositories(context, name, input);
  const found = all.filter((each) => each.name === name);
  const [only, second] = found;
  if (only !== undefined && second === undefined) return only.id;
  if (only === undefined) {
    throw new Failure("notFound", `no ${nouns[what]} is named "${name}"`, {
      reason: "not found, or not visible to this token",
      hint: hints[what],
    });
  }
  throw new UsageError(`${found.length} ${nouns[what]}s are named "${name}"; give the ID`, {
    code: "ambiguous",
    reason: found.map(({ id, label }) => `${id} (${label})`).join(", "),
  });
}

const nouns: Readonly<Record<ListedName, string>> = { hook: "hook", repository: "registry repository" };
const hints: Readonly<Record<ListedName, string>> = {
  hook: "forgectl hooks list shows IDs and names",
  repository: "forgectl registry list shows IDs and paths",
};

async function hooks({ api }: Context, { group }: Record<string, unknown>): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for await (const { id, name, url } of api.list(listHooks, { group: String(group) }, { limit: undefined })) {
    found.push({ id, name: name ?? "", label: url });
  }
  return found;
}

/** More than groups, a project, and a repository below it can have: each level is looked up. */
const maxLevels = 50;

/** A path begins with its project's: without a project, the longest part of it that is one. */
async function repositories(
  { api }: Context,
  path: string,
  { project }: Record<string, unknown>,
): Promise<Candidate[]> {
  const segments = path.split("/");
  if (project === undefined && segments.length > maxLevels) {
    throw new UsageError(`no repository has a path of ${groupDigits(segments.length)} levels`);
  }
  const within = segments.slice(0, -1).map((_, dropped) => segments.slice(0, segments.length - dropped).join("/"));
  for (const place of project === undefined ? within : [String(project)]) {
    const found: Candidate[] = [];
    const rows = api.list(listProjectRepositories, { project: place }, { limit: undefined });
    const read = async () => {
      for await (const { id, path: name, location } of rows) found.push({ id, name, label: location ?? "" });
      return found;
    };
    const all = await (project === undefined ? read().catch(undefinedOn("notFound")) : read());
    if (all?.some(({ name }) => name === path) || project !== undefined) return all ?? [];
  }
  return [];
}
