import { maxPageSize } from "../api/api.ts";
import { type AnyEndpoint, type ListEndpoint, pathNames } from "../api/endpoint.ts";
import { listClientKeys } from "../api/endpoints/error-tracking.ts";
import { listHookEvents, listHooks } from "../api/endpoints/hooks.ts";
import { listLdapLinks } from "../api/endpoints/ldap.ts";
import { getGroup, listGroups, listProjects } from "../api/endpoints/places.ts";
import { listProtectedEnvironments } from "../api/endpoints/protected-environments.ts";
import { listGroupRepositories, listProjectRepositories, listTags } from "../api/endpoints/registry.ts";
import { listSamlIdentities, listSamlLinks } from "../api/endpoints/saml.ts";
import { listScimIdentities } from "../api/endpoints/scim.ts";
import { listGroupUploads, listProjectUploads } from "../api/endpoints/uploads.ts";
import { listUsers } from "../api/endpoints/users.ts";
import type { Fields } from "../api/field.ts";
import type { Listed } from "../api/field-options.ts";
import { isId } from "../base/group-paths.ts";
import type { Config } from "../config/config.ts";
import type { Context } from "../context.ts";

// The values that TAB offers, or that the user chooses from if an argument is missing: one request per list.

/** Where the instance lists the values of a field, and how a row reads. */
interface Source {
  /** The noun for one value. */
  noun: string;
  /** If there are several, the first whose path is fully known is used. */
  lists: readonly AnyEndpoint[];
  /** The field of a row that is typed. */
  value: string;
  /** The fields that describe it. */
  label: readonly string[];
  /** The largest page of this list, if it is smaller than that of other lists. */
  page?: number;
}

const sources: Readonly<Record<Listed, Source>> = {
  project: { noun: "project", lists: [listProjects], value: "path_with_namespace", label: ["name"] },
  group: { noun: "group", lists: [listGroups], value: "full_path", label: ["name"] },
  user: { noun: "user", lists: [listUsers], value: "username", label: ["name"] },
  repository: {
    noun: "repository",
    lists: [listProjectRepositories, listGroupRepositories],
    value: "id",
    label: ["path"],
  },
  image: { noun: "image", lists: [listProjectRepositories, listGroupRepositories], value: "path", label: ["id"] },
  tag: { noun: "tag", lists: [listTags], value: "name", label: [] },
  upload: { noun: "upload", lists: [listProjectUploads, listGroupUploads], value: "id", label: ["filename"] },
  environment: { noun: "protected environment", lists: [listProtectedEnvironments], value: "name", label: [] },
  // The public key is half of the secret DSN.
  "error-key": { noun: "error tracking key", lists: [listClientKeys], value: "id", label: ["active"] },
  hook: { noun: "hook", lists: [listHooks], value: "id", label: ["name", "url"] },
  delivery: { noun: "delivery", lists: [listHookEvents], value: "id", label: ["trigger", "response_status"], page: 20 },
  "saml-identity": { noun: "SAML identity", lists: [listSamlIdentities], value: "extern_uid", label: ["user_id"] },
  "scim-identity": { noun: "SCIM identity", lists: [listScimIdentities], value: "extern_uid", label: ["user_id"] },
  "saml-link": { noun: "SAML group link", lists: [listSamlLinks], value: "name", label: ["provider"] },
  "ldap-cn": { noun: "LDAP group", lists: [listLdapLinks], value: "cn", label: ["provider"] },
};

/** A value as typed, and its description. */
export type Choice = readonly [value: string, label: string];

/** The known parameters of a list's path: `{ project: "acme/storefront" }`. */
export type Places = Readonly<Record<string, unknown>>;

export function nounOf(source: Listed): string {
  return sources[source].noun;
}

/** What was typed; if no project or group was, also those of the configuration. */
export function knownPlaces({ project, group }: Pick<Config, "project" | "group">, typed: Places): Places {
  if (typed.project !== undefined || typed.group !== undefined) return typed;
  return { project: project?.value, group: group?.value, ...typed };
}

/** The path parameters of the list of values: of the first list whose path is fully known, otherwise of the first. */
export function placesOf(source: Listed, known: Places): string[] {
  const { lists } = sources[source];
  return pathNames(listFor(lists, known) ?? (lists[0] as AnyEndpoint));
}

/**
 * The values that the instance lists: the first page, unless `limit` is given. Undefined if a path parameter is not
 * known.
 */
export async function choicesOf(
  context: Pick<Context, "api" | "redact">,
  source: Listed,
  { places, search, limit }: { places: Places; search?: string | undefined; limit?: number },
): Promise<Choice[] | undefined> {
  const { lists, value, label, page = maxPageSize } = sources[source];
  const list = listFor(lists, places) as ListEndpoint<object, Fields> | undefined;
  if (list === undefined) return undefined;
  const input: Record<string, unknown> = search === undefined ? {} : { search };
  for (const name of pathNames(list)) input[name] = places[name];
  if (list.dotless && String(input.group).includes(".")) {
    input.group = String((await context.api.call(getGroup, { group: String(input.group) })).id);
  }
  const found: Choice[] = [];
  for await (const row of context.api.list(list, input, { limit: limit ?? page, perPage: page })) {
    const name = wordOf(row[value], value);
    if (name === "") continue;
    const words = label.map((each) => wordOf(row[each], each)).filter((each) => each !== "");
    // Digits would be read as the ID of another user, or of another group.
    if (source === "user" && isId(name)) continue;
    const isNumber = source === "group" && isId(name);
    const shown = context.redact((isNumber ? [name, ...words] : words).join(", "));
    found.push([isNumber ? wordOf(row.id, "id") : name, shown]);
  }
  return found;
}

function listFor(lists: readonly AnyEndpoint[], known: Places): AnyEndpoint | undefined {
  return lists.find((list) => pathNames(list).every((name) => known[name] !== undefined && known[name] !== ""));
}

/** A boolean by the field's name, another object's ID with its noun: `not active`, `user 12`. */
function wordOf(value: unknown, name: string): string {
  if (typeof value === "boolean") return value ? name : `not ${name}`;
  if (typeof value === "number") return name.endsWith("_id") ? `${name.slice(0, -3)} ${value}` : String(value);
  return typeof value === "string" ? value : "";
}
