import { parseAnswer } from "../../../api/json.ts";
import { isObject } from "../../../base/is-object.ts";
import type { RequestHead } from "../../../local-http.ts";
import { headersNamed } from "./admission.ts";

const maxLength = 200;

/** The description of a delivery in one line. */
export interface About {
  event: string | null;
  /** Path of the project or the group. */
  place: string | null;
  title: string | null;
}

/** The event as the header names it, whatever the header's vendor part: `Note Hook`. */
export function eventIn(head: Pick<RequestHead, "headers">): string | null {
  return shortText(headersNamed(head, /^x-[a-z\d]+(?:-[a-z\d]+)*-event$/i)[0]);
}

/** A body as JSON; as text if it is not JSON, or would cost too much as values. */
export function readBody(body: Uint8Array): unknown {
  try {
    return parseAnswer(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

/** The place and the title in a payload (`2-collaboration-identity-api: Events`). */
export function aboutOf(payload: unknown): Omit<About, "event"> {
  if (!isObject(payload)) return { place: null, title: null };
  const at = (...path: string[]) => shortText(valueAt(payload, path));
  return {
    place:
      at("project", "path_with_namespace") ??
      at("path_with_namespace") ??
      at("project_path_with_namespace") ??
      at("group", "full_path") ??
      at("group", "group_path") ??
      at("full_path") ??
      at("group_path") ??
      at("project", "name") ??
      at("project_name"),
    title:
      at("object_attributes", "title") ??
      at("object_attributes", "note") ??
      pushTitle(payload) ??
      runTitle(payload) ??
      at("object_attributes", "name") ??
      at("ref") ??
      at("name") ??
      at("user_username") ??
      at("event_name") ??
      at("object_kind"),
  };
}

/** The title of a push: its branch or tag and its last commit. */
function pushTitle(payload: object): string | null {
  const ref = shortText(valueAt(payload, ["ref"]));
  const commits = valueAt(payload, ["commits"]);
  const title = Array.isArray(commits) ? shortText(valueAt(commits.at(-1), ["title"])) : null;
  if (ref === null || title === null) return null;
  return shortText(`${ref.replace(/^refs\/(?:heads|tags)\//, "")}: ${title}`);
}

/** The title of a job, a pipeline, or a deployment: what it is called, its ref, and its state. */
function runTitle(payload: object): string | null {
  const at = (...path: string[]) => shortText(valueAt(payload, path));
  const name = at("build_name") ?? at("environment");
  const isPipeline = at("object_kind") === "pipeline";
  const status = at("build_status") ?? (isPipeline ? at("object_attributes", "status") : at("status"));
  if (status === null || (name === null && !isPipeline)) return null;
  const ref = isPipeline ? at("object_attributes", "ref") : at("ref");
  return shortText(`${[name, ref].filter((part) => part !== null).join(", ")}: ${status}`);
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let here = value;
  for (const name of path) here = isObject(here) && Object.hasOwn(here, name) ? here[name] : undefined;
  return here;
}

/** The first line of a text, shortened; null if it is empty. */
function shortText(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const [line = ""] = value
    .slice(0, 4 * maxLength)
    .trim()
    .split(/\r?\n/, 1);
  const characters = [...line];
  if (characters.length === 0) return null;
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 3).join("")}...` : line;
}
