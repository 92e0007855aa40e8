import { isObject } from "../base/is-object.ts";
import type { AnyEndpoint } from "./endpoint.ts";
import type { Json } from "./error-body.ts";
import type { FailedCall } from "./failed-call.ts";

// What the end of a path names, and an answer shows.

/** The fields that show which object an answer is of, by the place at the end of its path. */
const shownBy: Readonly<Record<string, "id" | "name" | "file_path">> = {
  ...{ project: "id", group: "id", user_id: "id", repository_id: "id", hook_id: "id", job_id: "id" },
  ...{ note_id: "id", discussion_id: "id" },
  ...{ name: "name", tag_name: "name", saml_group_name: "name", file_path: "file_path" },
};

/**
 * How an answer shows that it is of another object than the one in the path, as of a cache that mixes them up;
 * undefined if it does not. A path of a project or a group may be an earlier one, some releases cut a name at a dot,
 * which is judged elsewhere, and a header has a path of other characters than ASCII in an encoding of its own.
 *
 * @param sent the path as it was sent, encoded
 */
export function otherObject({ path }: Pick<AnyEndpoint, "path">, sent: string, value: Json): string | undefined {
  const [, place = ""] = /\/[:*](\w+)\/?$/.exec(path) ?? [];
  const field = shownBy[place];
  const shown = field === undefined ? undefined : value[field];
  if (typeof shown !== "string" && typeof shown !== "number") return undefined;
  const text = decodeURIComponent(lastOf(sent));
  // Headers have no blanks at their ends.
  const wanted = field === "id" ? unpadded(text) : text.trim();
  const isPath = (place === "project" || place === "group") && !/^\d+$/.test(wanted);
  const isCoded = field === "file_path" && /[^ -~]/.test(wanted);
  const isCut = field === "name" && wanted.includes(".");
  if (isPath || isCoded || isCut || String(shown).trim() === wanted) return undefined;
  return `it is of another object: ${field} ${shown}`;
}

/** Instances read the ID `007` as 7. */
function unpadded(text: string): string {
  return /^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, "") : text;
}

/** Whether the answer to a deletion is the object that was deleted (deleted-object-shown). */
export function isDeleted({ method, path }: FailedCall, value: unknown): boolean {
  if (method !== "DELETE" || !isObject(value)) return false;
  return [value.id ?? "", value.name ?? ""].some((each) => encodeURIComponent(String(each)) === lastOf(path));
}

function lastOf(path: string): string {
  return (
    path
      .replace(/\/?(?:\?.*)?$/s, "")
      .split("/")
      .at(-1) ?? ""
  );
}
