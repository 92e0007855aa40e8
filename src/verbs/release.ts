import type { Api } from "../api/api.ts";
import { getMetadata, getVersion } from "../api/endpoints/about.ts";
import { unlessRefused } from "./optional-call.ts";

/** The requests that show the release of an instance. */
export const releaseRequests = [getMetadata, getVersion];

/** The release of the instance: `17.4.0`; undefined if it does not show it to this token. */
export async function releaseOf(api: Pick<Api, "call">): Promise<unknown> {
  const shown = await unlessRefused(api.call(getMetadata, {}));
  return (shown ?? (await unlessRefused(api.call(getVersion, {}))))?.version;
}
