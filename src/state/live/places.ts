import type { AnyEndpoint } from "../../api/endpoint.ts";
import { getGroup, getProject } from "../../api/endpoints/places.ts";
import { Failure } from "../../base/errors.ts";
import { isId, nameInRequests } from "../../base/group-paths.ts";
import { normal } from "../fields/normal.ts";
import type { Scope, Values } from "../kind.ts";
import { kindsAt } from "../kinds/index.ts";

/** A project or group as the instance answers it. */
export interface Place {
  /** The lookup that answered. */
  readonly endpoint: AnyEndpoint;
  readonly id: number | undefined;
  readonly path: string | undefined;
  /** Why it is not managed: archived, or about to be deleted. */
  readonly inactive: string | undefined;
  /** The fields that are objects of a kind, such as the visibility of its registry. */
  readonly values: Values;
}

const lookups = { project: getProject, group: getGroup } as const;

/** The projects and groups of a run: each is looked up once. */
export class Places {
  readonly #call: (endpoint: AnyEndpoint, input: object) => Promise<object>;
  readonly #found = new Map<string, Promise<Place | undefined>>();
  readonly #proved = new Map<string, Promise<boolean>>();

  constructor(call: (endpoint: AnyEndpoint, input: object) => Promise<object>) {
    this.#call = call;
  }

  /** The scope itself; undefined for the instance, and for one that this token cannot look up. */
  of(scope: Scope): Promise<Place | undefined> {
    return once(this.#found, scope, () => this.#lookUp(scope));
  }

  /** As it is now. */
  again(scope: Scope): Promise<Place | undefined> {
    return this.#lookUp(scope);
  }

  /** Whether the scope is known to exist: it can be looked up, or `otherwise` finds something in it. */
  isProved(scope: Scope, otherwise: () => Promise<boolean>): Promise<boolean> {
    return once(this.#proved, scope, async () => (await this.of(scope)) !== undefined || (await otherwise()));
  }

  async #lookUp({ at, name }: Scope): Promise<Place | undefined> {
    if (at === "instance") return undefined;
    const endpoint = lookups[at];
    try {
      const found = (await this.#call(endpoint, { [at]: name })) as Values;
      const id = normal({ form: "id" }, found.id);
      const path = at === "group" ? found.full_path : found.path_with_namespace;
      // Thousands of scopes are kept: only what is needed of each.
      const names = kindsAt(at).flatMap(({ read, fields }) => (read.endpoint === endpoint ? Object.keys(fields) : []));
      const values = Object.fromEntries(names.flatMap((each) => (each in found ? [[each, found[each]]] : [])));
      return {
        endpoint,
        id: typeof id === "number" ? id : undefined,
        path: typeof path === "string" ? path : undefined,
        inactive: inactivity(found),
        values,
      };
    } catch (error) {
      if (error instanceof Failure && (error.exit === "notFound" || error.exit === "forbidden")) return undefined;
      throw error;
    }
  }
}

function inactivity({ archived, marked_for_deletion_on: end }: Values): string | undefined {
  if (archived === true) return "archived";
  return typeof end === "string" ? "about to be deleted" : undefined;
}

/** Where a scope has moved to, if its path in the file is no longer its own: an instance redirects reads of it. */
export function movedTo(scope: Scope, place: Place | undefined): string | undefined {
  const path = place?.path;
  if (path === undefined || isId(scope.name) || path.toLowerCase() === scope.name.toLowerCase()) return undefined;
  return path;
}

/** What to do about one that has moved, whose new path may be digits. */
export function moveInFile(moved: string, place: Place | undefined): string {
  const name = nameInRequests({ id: place?.id, path: moved });
  return `write ${name === moved ? "that" : `its ID, ${name},`} in the file`;
}

/** Why what was known of a scope is not true of it by now: its path has become that of another project or group. */
export function replacedBy({ at, name, id }: Scope, place: Place | undefined): string | undefined {
  if (typeof id !== "number" || place?.id === undefined || place.id === id) return undefined;
  return `${name} is another ${at} by now: its ID is ${place.id}, and was ${id}`;
}

function once<T>(kept: Map<string, Promise<T>>, { at, name }: Scope, make: () => Promise<T>): Promise<T> {
  const key = `${at}:${name.toLowerCase()}`;
  const known = kept.get(key) ?? make();
  kept.set(key, known);
  return known;
}
