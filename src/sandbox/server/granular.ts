import { ownValue } from "../own-value.ts";
import type { Token } from "../store/model.ts";
import { Problem } from "./problem.ts";

/**
 * The resources that permissions of fine-grained tokens are named after, by a part of the route. Real instances have
 * such tokens; the documents do not mention them.
 */
const resources: readonly (readonly [part: RegExp, resource: string])[] = [
  [/^\/personal_access_tokens\b/, "Personal Access Token"],
  [/^\/metadata$/, "Metadata"],
  [/^\/application\/settings$/, "Application Setting"],
  [/\/registry\//, "Container Repository"],
  [/\/repository\/files\//, "Code"],
  [/\/job_token_scope\b/, "Job Token Scope"],
  [/\/(?:jobs|artifacts|pipelines)\b/, "Job"],
  [/\/(?:notes|discussions)\b/, "Note"],
  [/\/events$/, "Event"],
  [/\/hooks\b/, "Webhook"],
  [/\/uploads\b/, "Upload"],
  [/\/protected_environments\b/, "Protected Environment"],
  [/\/protected_branches\b/, "Protected Branch"],
  [/^\/users?\b/, "User"],
  [/^\/projects(?:\/:id)?$|^\/groups\/:id\/projects$/, "Project"],
  [/^\/groups(?:\/:id)?$|\/(?:subgroups|descendant_groups)$/, "Group"],
];

const actions: Readonly<Record<string, string>> = {
  POST: "Create",
  PUT: "Update",
  PATCH: "Update",
  DELETE: "Delete",
};

/** Throws the 403 if a fine-grained token lacks the permission for a route; other tokens have none to lack. */
export function checkGranular(token: Token | undefined, method: string, path: string): void {
  if (token?.permissions === undefined) return;
  const plain = path.replace(/^\/api\/v4/, "");
  const resource = resources.find(([part]) => part.test(plain))?.[1];
  if (resource === undefined) throw denied("This operation doesn't support fine-grained personal access tokens.");
  const permission = `${resource}: ${ownValue(actions, method) ?? "Read"}`;
  if (token.permissions.includes(permission)) return;
  const boundary =
    /^\/(project|group)s\/:id/.exec(plain)?.[1] ?? (/^\/(?:metadata|app)/.test(plain) ? "instance" : "user");
  throw denied(
    "This operation requires a fine-grained personal access token with the following " +
      `${boundary} permissions: [${permission}].`,
  );
}

function denied(reason: string): Problem {
  return new Problem(403, {
    error: "insufficient_granular_scope",
    error_description: `Access denied: ${reason}`,
  });
}
