import {
  deleteManifest,
  deleteRepository,
  deleteTag,
  deleteTagReference,
  deleteTagsInBulk,
  getCatalog,
  getRegistryToken,
  getRepository,
  getTag,
  listGroupRepositories,
  listProjectRepositories,
  listTags,
  setVisibility,
} from "../../../src/api/endpoints/registry.ts";
import type { Sandbox } from "../../../src/sandbox/index.ts";
import { call } from "../call.ts";

const basic = (sandbox: Sandbox) =>
  `Basic ${Buffer.from(`${sandbox.registryUser}:${sandbox.tokens.administrator}`).toString("base64")}`;

const bearer = (scope: string) => async (sandbox: Sandbox) => {
  const query = new URLSearchParams({ service: "container_registry", scope });
  const answer = await fetch(`${sandbox.url}/jwt/auth?${query}`, { headers: { authorization: basic(sandbox) } });
  const { token } = (await answer.json()) as { token: string };
  return `Bearer ${token}`;
};

const at = { project: "acme/storefront", repository_id: 12 };

export const calls = [
  call(listProjectRepositories, { project: "7", tags: true, tags_count: true }),
  call(listGroupRepositories, { group: "acme" }),
  call(getRepository, { repository_id: 12, tags: true, tags_count: true, size: true }),
  call(listTags, at),
  call(getTag, { ...at, tag_name: "v1" }),
  call(deleteTag, { ...at, tag_name: "v1" }),
  call(deleteTagsInBulk, {
    ...at,
    name_regex_delete: "nightly-\\d+",
    name_regex_keep: ".*01",
    keep_n: 2,
    older_than: "1 week",
  }),
  call(
    getRegistryToken,
    { service: "container_registry", scope: ["registry:catalog:*", "repository:acme/storefront:pull"] },
    { authorization: async (sandbox) => basic(sandbox) },
  ),
  call(getCatalog, { n: 3, last: "acme/docs" }, { authorization: bearer("registry:catalog:*") }),
  call(
    deleteManifest,
    { image: "acme/storefront", reference: "v1.2.0" },
    { authorization: bearer("repository:acme/storefront:delete") },
  ),
  call(
    deleteTagReference,
    { image: "acme/storefront/worker", reference: "v1.2.0" },
    { authorization: bearer("repository:acme/storefront/worker:delete") },
  ),
  call(deleteRepository, { ...at, repository_id: 13 }),
  call(setVisibility, { project: "7", container_registry_access_level: "private" }),
];
