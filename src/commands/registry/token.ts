import { getRegistryToken } from "../../api/endpoints/registry.ts";
import { array, required, string } from "../../api/field.ts";
import { command } from "../../declare/command.ts";
import { imagesToPush, registryToken } from "./credentials.ts";

const scope = string("", {
  placeholder: "scope",
  pattern: {
    test: /^[a-z]+(?:\([a-z]+\))?:[^\s:]+:[a-z*]+(?:,[a-z*]+)*$/,
    words: "a scope such as repository:acme/website:pull",
  },
});

export const token = command({
  name: "token",
  summary: getRegistryToken.summary,
  details:
    "Prints only the token. It is requested with FORGECTL_REGISTRY_USER and FORGECTL_REGISTRY_PASSWORD, in a CI " +
    "job with CI_REGISTRY_USER and CI_REGISTRY_PASSWORD. Scopes: repository:<image>:pull, push, or delete (or several " +
    "with commas), and registry:catalog:* for administrators. An instance may grant less than requested. With push, instances make the " +
    "image's repository at once if there is none, so that --dry-run does not request the token, and read-only refuses it.",
  params: { scope: required(array(scope, "Scope of the token")) },
  requests: [getRegistryToken],
  examples: [
    { line: "registry token --scope repository:acme/storefront:pull" },
    { line: "registry token --scope repository:acme/storefront:pull,push --scope repository:acme/docs:pull" },
  ],
  related: ["registry catalog", "registry manifests delete", "auth token"],
  changes: ({ scope = [] }) => imagesToPush(scope as string[]).length > 0,
  run: async (context, { scope }) => {
    const value = await registryToken(context, scope);
    for (const image of imagesToPush(scope)) {
      context.notice(`instances make the repository ${image} if there is none, before anything is pushed`);
    }
    return { value };
  },
});
