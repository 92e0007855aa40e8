import { endpoint } from "../endpoint.ts";
import {
  array,
  boolean,
  bytes,
  entity,
  id,
  integer,
  nullable,
  object,
  oneOf,
  required,
  string,
  timestamp,
  uncut,
} from "../field.ts";
import { group, project } from "./scope.ts";

const summaryShape = {
  name: required(uncut()),
  path: string("Repository path and tag"),
  location: uncut("Registry host, path, and tag: the reference for pulling the image"),
};

/** `1-project-api: Registry repository`. */
export const RegistryRepository = entity("RegistryRepository", {
  id: required(id("Repository ID")),
  name: string("Empty for the root repository of the project"),
  path: required(uncut("Repository path")),
  project_id: required(integer()),
  location: uncut("Registry host and port, followed by the path"),
  created_at: timestamp(),
  cleanup_policy_started_at: nullable(timestamp()),
  status: nullable(string("delete_scheduled, delete_ongoing, or null", { tones: { "*": "doubtful" } })),
  tags_count: integer("With --tags-count; instances count 10,000 at most", { onlyWith: "tags_count" }),
  tags: array(object(summaryShape), "With --tags", { onlyWith: "tags" }),
  size: bytes("With --size: deduplicated size of all images", { onlyWith: "size" }),
});

/** `1-project-api: Registry repository`, tag summary. */
const RegistryTag = entity("RegistryTag", summaryShape);

/** `1-project-api: Registry repository`, tag details. */
export const RegistryTagDetails = entity("RegistryTagDetails", {
  ...summaryShape,
  revision: string("64 hexadecimal characters"),
  short_revision: string("First 9 characters of the revision"),
  digest: string("sha256: and hexadecimal; several tags may share one"),
  created_at: timestamp("Time of the manifest, not of the push; with a numeric UTC offset"),
  total_size: bytes(),
});

/** A rule that protects tags. */
const TagProtectionRule = entity("TagProtectionRule", {
  id: id("Rule ID"),
  project_id: integer(),
  tag_name_pattern: string("RE2; it protects the tags in whose name it occurs"),
  minimum_access_level_for_push: nullable(string("maintainer, owner, or admin")),
  minimum_access_level_for_delete: nullable(string("maintainer, owner, or admin")),
});

const accessTones = { enabled: "good", private: "doubtful", disabled: "bad" } as const;

/** `1-project-api: Project registry visibility setting`. */
const RegistryVisibility = entity(
  "RegistryVisibility",
  {
    id: id("Project ID"),
    name: string(),
    container_registry_access_level: string("enabled, private, or disabled", { tones: accessTones }),
  },
  { proof: ["container_registry_access_level"] },
);

/** The token endpoint's answer (`1-project-api: Container registry (instance-wide endpoints)`). */
const RegistryToken = entity("RegistryToken", { token: required(string("", { secret: true })) });

export const repositoryId = id("Repository, by ID or path", { completes: "repository", names: "repository" });

/** Tag names that the registry accepts. */
const tagPattern = /^\w[\w.-]{0,127}$/;
const tagName = string("Tag", {
  placeholder: "tag",
  completes: "tag",
  pattern: { test: tagPattern, words: 'a tag: letters, digits, "_", ".", "-", at most 128 of them' },
});

/** The fields of a repository that are returned only on request. */
const include = {
  tags: boolean("Include the tags"),
  tags_count: boolean("Include the number of tags"),
};
const includeSize = boolean("Include the size (hosted offering only)");

const visibilityLevel = oneOf(
  ["enabled", "private", "disabled"],
  "enabled: all who can see the project; private: Reporters and higher; disabled: no registry",
);

/** Read access depends on the project's registry visibility (`1-project-api: registry reading`). */
const privateRegistry = "the registry may be private, which needs the Reporter role";
const notFound =
  "check the ID or path; if the project exists, its registry may be disabled, which forgectl registry visibility changes";
const reading = { jobToken: true, notFound, forbidden: privateRegistry } as const;
/** The documents name no role for these; instances require at least this one. */
const changing = { role: "maintainer", jobToken: true, notFound } as const;
const deletingTags = {
  ...changing,
  role: "developer",
  forbidden: "the tag is protected or immutable, or does not exist",
} as const;

export const listProjectRepositories = endpoint({
  route: "GET /projects/:project/registry/repositories",
  summary: "List a project's registry repositories",
  params: { project, ...include },
  returns: RegistryRepository,
  page: "offset",
  access: reading,
});

export const listGroupRepositories = endpoint({
  route: "GET /groups/:group/registry/repositories",
  summary: "List the registry repositories of a group's projects",
  params: { group },
  returns: RegistryRepository,
  page: "offset",
  access: { forbidden: privateRegistry },
});

export const getRepository = endpoint({
  route: "GET /registry/repositories/:repository_id",
  summary: "Get a registry repository",
  params: { repository_id: repositoryId, ...include, size: includeSize },
  returns: RegistryRepository,
  access: reading,
});

/** Asynchronous: accepted at once, deleted later. */
export const deleteRepository = endpoint({
  route: "DELETE /projects/:project/registry/repositories/:repository_id",
  summary: "Delete a registry repository with all of its tags",
  params: { project, repository_id: repositoryId },
  returns: "nothing",
  access: changing,
});

export const setVisibility = endpoint({
  route: "PUT /projects/:project/",
  summary: "Set the visibility of a project's container registry",
  params: {
    project,
    container_registry_access_level: visibilityLevel,
  },
  returns: RegistryVisibility,
  access: { role: "maintainer" },
});

const byCursor = boolean("Page by cursor: constant cost per page, without a total (hosted offering only)", {
  flag: "keyset",
  sent: (typed) => (typed === true ? "keyset" : typed),
});

export const listTags = endpoint({
  route: "GET /projects/:project/registry/repositories/:repository_id/tags",
  summary: "List the tags of a registry repository",
  params: { project, repository_id: repositoryId, pagination: byCursor },
  returns: RegistryTag,
  page: "offset",
  access: reading,
});

export const getTag = endpoint({
  route: "GET /projects/:project/registry/repositories/:repository_id/tags/:tag_name",
  summary: "Get the details of a registry tag",
  params: { project, repository_id: repositoryId, tag_name: tagName },
  returns: RegistryTagDetails,
  access: {
    ...reading,
    notFound: "check the ID and the tag; one that is listed may not be found if a hundred other names contain its name",
  },
});

/** Undocumented; rules that make tags immutable are not listed. */
export const listTagProtectionRules = endpoint({
  route: "GET /projects/:project/registry/protection/tag/rules",
  summary: "List the rules that protect registry tags",
  params: { project },
  returns: TagProtectionRule,
  page: "offset",
  access: { role: "maintainer" },
  beyond: true,
});

/** Deletes the tag only; blobs stay until garbage collection runs. */
export const deleteTag = endpoint({
  route: "DELETE /projects/:project/registry/repositories/:repository_id/tags/:tag_name",
  summary: "Delete a registry tag",
  params: { project, repository_id: repositoryId, tag_name: tagName },
  returns: "nothing",
  access: deletingTags,
});

/** Asynchronous, and allowed once an hour for a repository (`1-project-api: Bulk delete rules`). */
export const deleteTagsInBulk = endpoint({
  route: "DELETE /projects/:project/registry/repositories/:repository_id/tags",
  summary: "Delete registry tags in bulk",
  params: {
    project,
    repository_id: repositoryId,
    name_regex_delete: required(string("Names to delete (RE2)")),
    name_regex_keep: string("Names to keep (RE2)"),
    keep_n: integer("How many of the latest matching tags to keep"),
    older_than: string("Only tags older than this"),
  },
  returns: "nothing",
  access: changing,
});

export const getRegistryToken = endpoint({
  route: "GET /jwt/auth",
  summary: "Get a token for the container registry",
  params: {
    service: required(string("container_registry")),
    scope: required(array(string(), "What the token is for", { repeats: true })),
  },
  returns: RegistryToken,
  base: "instance",
  access: {},
});

/** Its pages are linked by a relative `Link`, so callers need the answer's headers, which a raw answer includes. */
export const getCatalog = endpoint({
  route: "GET /v2/_catalog",
  summary: "List the repositories of the container registry",
  params: { n: integer("Maximum names per answer"), last: string("Name that precedes the first result") },
  returns: "bytes",
  base: "registry",
  access: {
    role: "administrator",
    notFound: "check that the registry URL is the container registry's address: --registry-url, FORGECTL_REGISTRY_URL",
  },
});

export const image = string("Repository path, without the registry's host", {
  completes: "image",
  pattern: {
    test: /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*$/,
    words: "an image's path, such as acme/website, without host and tag",
  },
});

/** The documents' `<tag>`: registries without the `tag_delete` feature accept only digests. */
export const reference = string("Tag, or a digest (sha256:...) for the image with all of its tags", {
  placeholder: "tag",
  pattern: { test: /^(?:\w[\w.-]{0,127}|sha256:[0-9a-f]{64})$/, words: "a tag, or a digest such as sha256:4bf5..." },
});

/** The `Accept` header for deleting a manifest (`1-project-api: Container registry (instance-wide endpoints)`). */
export const manifestType = "application/vnd.docker.distribution.manifest.v2+json";

export const deleteManifest = endpoint({
  route: "DELETE /v2/*image/manifests/:reference",
  summary: "Delete an image's tag in the registry",
  params: {
    image,
    reference,
  },
  returns: "nothing",
  base: "registry",
  access: {},
});

/** Deprecated at release 16.4 in favor of {@link deleteManifest}. */
export const deleteTagReference = endpoint({
  route: "DELETE /v2/*image/tags/reference/:reference",
  summary: "Delete an image's tag in the registry (deprecated)",
  params: { image, reference: tagName },
  returns: "nothing",
  base: "registry",
  access: {
    notFound: "the tag is missing, or the registry no longer has this path: leave out --legacy",
    // What registries answer to a path that they do not have.
    refusals: [{ says: /^404 page not found\s*$/, as: 404 }],
  },
});
