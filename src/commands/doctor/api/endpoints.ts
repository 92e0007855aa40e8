import { type AnyEndpoint, pathNames } from "../../../api/endpoint.ts";
import * as about from "../../../api/endpoints/about.ts";
import * as artifacts from "../../../api/endpoints/artifacts.ts";
import * as discussions from "../../../api/endpoints/discussions.ts";
import * as errors from "../../../api/endpoints/error-tracking.ts";
import * as events from "../../../api/endpoints/events.ts";
import * as files from "../../../api/endpoints/files.ts";
import * as groups from "../../../api/endpoints/groups.ts";
import * as hooks from "../../../api/endpoints/hooks.ts";
import * as jobToken from "../../../api/endpoints/job-token.ts";
import * as ldap from "../../../api/endpoints/ldap.ts";
import * as notes from "../../../api/endpoints/notes.ts";
import * as places from "../../../api/endpoints/places.ts";
import * as environments from "../../../api/endpoints/protected-environments.ts";
import * as registry from "../../../api/endpoints/registry.ts";
import * as relations from "../../../api/endpoints/relations.ts";
import * as saml from "../../../api/endpoints/saml.ts";
import * as scim from "../../../api/endpoints/scim.ts";
import * as settings from "../../../api/endpoints/settings.ts";
import * as uploads from "../../../api/endpoints/uploads.ts";
import * as users from "../../../api/endpoints/users.ts";
import { isObject } from "../../../base/is-object.ts";

const areas: readonly object[] = [
  ...[about, users, places, settings, events, groups, hooks, saml, scim, ldap, jobToken, environments],
  ...[errors, relations, uploads, registry, files, artifacts, notes, discussions],
];

/** Every GET that the program knows, the instance's release first. */
export const reads: readonly AnyEndpoint[] = areas
  .flatMap((area) => Object.values(area))
  .filter(isEndpoint)
  .filter(({ method }) => method === "GET");

function isEndpoint(value: unknown): value is AnyEndpoint {
  return isObject(value) && "route" in value && "access" in value;
}

/** The list in which the value of a name in a path is found, and the field that holds it. */
export interface Source {
  readonly list: AnyEndpoint;
  /** Dotted. */
  readonly field: string;
  /** Only rows with these values. */
  readonly where?: Readonly<Record<string, unknown>>;
}

const fields: Readonly<Record<string, string>> = {
  tag_name: "name",
  name: "name",
  saml_group_name: "name",
  uid: "extern_uid",
};

/** Objects that no list of their own names. */
const elsewhere: Readonly<Record<string, Source>> = {
  user: { list: users.listUsers, field: "id" },
  user_id: { list: users.listUsers, field: "id" },
  job_id: { list: artifacts.listPipelineJobs, field: "id" },
  job: { list: artifacts.listPipelineJobs, field: "name" },
  ref_name: { list: artifacts.listPipelines, field: "ref" },
  ref: { list: places.listProjects, field: "default_branch" },
  relation: { list: relations.listRelationStatuses, field: "relation" },
  issue_iid: { list: events.listProjectEvents, field: "target_iid", where: { target_type: "Issue" } },
  merge_request_iid: { list: events.listProjectEvents, field: "target_iid", where: { target_type: "MergeRequest" } },
  snippet_id: { list: events.listProjectEvents, field: "note.noteable_id", where: { "note.noteable_type": "Snippet" } },
  epic_id: { list: events.listOwnEvents, field: "note.noteable_id", where: { "note.noteable_type": "Epic" } },
};

/** Where a name in an endpoint's path is found: in the list of which the path is a member, or elsewhere. */
export function sourceOf(endpoint: AnyEndpoint, name: string): Source | undefined {
  if (name === "uid") return uidSource(endpoint);
  if (name === "repository_id") return { list: registry.listProjectRepositories, field: "id" };
  const above = endpoint.path.slice(0, Math.max(0, endpoint.path.search(new RegExp(`/[:*]${name}(?:/|$)`))));
  const list = reads.find(({ path, page }) => page !== undefined && path === above);
  return list === undefined ? elsewhere[name] : (elsewhere[name] ?? { list, field: fields[name] ?? "id" });
}

function uidSource({ path }: AnyEndpoint): Source {
  const list = path.includes("/scim/") ? scim.listScimIdentities : saml.listSamlIdentities;
  return { list, field: "extern_uid" };
}

/** The names that a request needs: those of the path, and required ones of the query. */
export function neededBy(endpoint: AnyEndpoint): string[] {
  const inPath = pathNames(endpoint);
  const more = Object.entries(endpoint.params).flatMap(([name, { required }]) => (required ? [name] : []));
  const job = inPath.includes("ref_name") ? ["job"] : [];
  return [...new Set([...inPath, ...more, ...job])];
}

/** Lists that name other objects are read a page long; of any other, one row is enough. */
export function pageSize(endpoint: AnyEndpoint): number {
  const isIndex = endpoint === events.listProjectEvents || endpoint === events.listOwnEvents;
  return isIndex ? 100 : 1;
}
