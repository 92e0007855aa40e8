import { Failure } from "../base/errors.ts";
import { isChange } from "./outcome.ts";

const place = /\/(projects|groups)\/([^/?]+)/;
const answeredPlace = /\/api\/v4.*?\/(projects|groups)\/([^/?]+)/;
const itself = /\/api\/v4\/(projects|groups)\/([^/?]+)$/;

/**
 * The projects and groups of which a read has shown that they have moved: it was redirected to another one, or the
 * object has another path. Instances redirect reads, and refuse changes with 301.
 */
export class MovedPlaces {
  readonly #moved = new Set<string>();

  /**
   * Notes what the answer to a read shows.
   *
   * @param path as sent, below `/api/v4`
   * @param url the address that answered
   */
  note(path: string, url: string): void {
    const [, kind, sent = ""] = place.exec(path) ?? [];
    const [, shown, answered = ""] = answeredPlace.exec(url) ?? [];
    if (kind === undefined || kind !== shown || isSame(sent, answered)) return;
    this.#moved.add(`${kind}/${sent}`);
  }

  /** The same for the object itself, as the lookup of a path shows it: `/api/v4/projects/acme%2Fdocs`. */
  noteObject(path: string, value: object): void {
    const [, kind, sent = ""] = itself.exec(path) ?? [];
    const { path_with_namespace: project, full_path: group } = value as Record<string, unknown>;
    const own = kind === "projects" ? project : group;
    if (kind === undefined || /^\d+$/.test(sent) || typeof own !== "string" || isSame(sent, own)) return;
    this.#moved.add(`${kind}/${sent}`);
  }

  /** Throws for a change below a path that is known to have moved, before it is sent. */
  refuse(method: string, path: string): void {
    if (!isChange(method)) return;
    const [, kind, sent] = place.exec(path) ?? [];
    if (!this.#moved.has(`${kind}/${sent}`)) return;
    throw new Failure("refused", "instances refuse changes by the old path", {
      code: "moved",
      nothing: "sent",
      retryable: false,
    });
  }
}

/** Paths are the same in any case. */
function isSame(one: string, other: string): boolean {
  return decoded(one).toLowerCase() === decoded(other).toLowerCase();
}

/** A path of `api` may have a percent sign that encodes nothing. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
