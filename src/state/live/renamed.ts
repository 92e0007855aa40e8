import type { Api } from "../../api/api.ts";
import { listGroupProjects } from "../../api/endpoints/places.ts";
import { Failure } from "../../base/errors.ts";
import { isBelow } from "../../base/group-paths.ts";
import type { Reader } from "./reader.ts";

// Instances lead from the path that a project had to its present one, and answer 404 for that of a group: whether a
// group had a path, a project below it tells.

/** Whether a project below a group was below another path before, so that the group had that one. */
export async function hadPath({ places }: Reader, earlier: string, project: string, group: string): Promise<boolean> {
  const name = `${earlier}${project.slice(group.length)}`;
  if (name.toLowerCase() === project.toLowerCase()) return false;
  const place = await places.of({ at: "project", name });
  return place?.path?.toLowerCase() === project.toLowerCase();
}

/** How many projects of a group are asked for: some may have come from elsewhere, or had other names. */
export const oldestAsked = 3;

/** The paths of the oldest projects below a group, each group asked once; none if the token may not list them. */
export class OldestProjects {
  readonly #api: Pick<Api, "list">;
  readonly #known = new Map<string, Promise<readonly string[]>>();

  constructor(api: Pick<Api, "list">) {
    this.#api = api;
  }

  below(group: string): Promise<readonly string[]> {
    const known = this.#known.get(group) ?? this.#list(group);
    this.#known.set(group, known);
    return known;
  }

  async #list(group: string): Promise<readonly string[]> {
    const oldest = { include_subgroups: true, with_shared: false, order_by: "id", sort: "asc" } as const;
    const paths: string[] = [];
    try {
      const listed = this.#api.list(listGroupProjects, { group, ...oldest }, { limit: oldestAsked });
      for await (const { path_with_namespace: path } of listed) paths.push(path);
    } catch (error) {
      if (!(error instanceof Failure) || !["notFound", "forbidden"].includes(error.exit)) throw error;
    }
    return paths;
  }
}

/** A group that is renamed stays where it is; one that is transferred keeps its name. */
export function mayBe(group: string, earlier: string): boolean {
  const [one, other] = [group, earlier].map((path) => {
    const at = path.lastIndexOf("/");
    return { parent: path.slice(0, Math.max(at, 0)).toLowerCase(), name: path.slice(at + 1).toLowerCase() };
  }) as [PathParts, PathParts];
  return !isBelow(earlier, group) && (one.parent === other.parent || one.name === other.name);
}

interface PathParts {
  readonly parent: string;
  readonly name: string;
}
