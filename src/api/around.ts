import type { Api } from "./api.ts";
import type { AnyEndpoint, ListEndpoint } from "./endpoint.ts";
import { listHooks } from "./endpoints/hooks.ts";
import { listProtectedEnvironments } from "./endpoints/protected-environments.ts";
import { listSamlIdentities, listSamlLinks } from "./endpoints/saml.ts";
import { listScimIdentities } from "./endpoints/scim.ts";
import type { Fields } from "./field.ts";
import { type PlaceKind, readPlace } from "./place.ts";

/** Lists of what only some tiers or kinds of hosting have; a token that may delete one of them may read the list. */
const lists: readonly (readonly [path: RegExp, list: AnyEndpoint])[] = [
  [/\/saml\/[^/]+$/, listSamlIdentities],
  [/\/scim\/[^/]+$/, listScimIdentities],
  [/\/saml_group_links\/[^/]+$/, listSamlLinks],
  [/\/groups\/[^/]+\/hooks\/[^/]+$/, listHooks],
  [/\/protected_environments\/[^/]+$/, listProtectedEnvironments],
];

/**
 * Reads the list that has what a path names, or else the project or group: an instance whose tier or kind of hosting
 * lacks such a list answers 404 to every path below it, and shows the project or group nevertheless.
 */
export async function readAround(api: Api, path: string, { at, place }: { at: PlaceKind; place: string }) {
  const [bare = ""] = path.split("?");
  const list = lists.find(([of]) => of.test(bare))?.[1] as ListEndpoint<never, Fields> | undefined;
  if (list === undefined) return void (await readPlace(api, at, place));
  for await (const _ of api.list(list, { [at]: place } as never, { limit: 1 })) return;
}
