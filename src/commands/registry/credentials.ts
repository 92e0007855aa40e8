import { getRegistryToken } from "../../api/endpoints/registry.ts";
import { Failure, UsageError } from "../../base/errors.ts";
import { normalizeBaseUrl } from "../../config/address.ts";
import type { Context } from "../../context.ts";

interface Basic {
  user: string;
  password: string;
  /** The two variables, for an error. */
  source: string;
}

/** The credentials for requesting registry tokens, as a header; a Failure if there are none. */
export function registryCredentials(context: Context): { authorization: string; source: string } {
  const { user, password, source } = credentials(context);
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`, source };
}

/** Requests a token of the container registry, which is separate from the platform's access tokens. */
export async function registryToken(context: Context, scope: string[]): Promise<string> {
  const { authorization, source } = registryCredentials(context);
  try {
    const { token } = await context.api.call(
      getRegistryToken,
      { service: "container_registry", scope },
      { authorization, changes: imagesToPush(scope).length > 0 },
    );
    // It is sent in a header, and goes from `registry token` to other tools.
    if (typeof token === "string" && /^[!-~]+$/.test(token)) return token;
  } catch (error) {
    if (!(error instanceof Failure) || error.exit !== "unauthenticated") throw error;
    throw error.with({ hint: `check ${source}` });
  }
  throw new Failure("refused", "the token endpoint answered without a token", { code: "unexpected_answer" });
}

/** The images that a token may push to: a request for it makes their repositories (registry-push-token). */
export function imagesToPush(scopes: readonly string[]): string[] {
  return scopes.flatMap((scope) => {
    const [, image, actions = ""] = /^repository(?:\([a-z]+\))?:(.+):([^:]+)$/.exec(scope) ?? [];
    return image !== undefined && actions.split(",").includes("push") ? [image] : [];
  });
}

/** The same as the value of an `Authorization` header. */
export async function bearer(context: Context, scope: string): Promise<string> {
  return `Bearer ${await registryToken(context, [scope])}`;
}

function credentials(context: Context): Basic {
  const { env, config } = context;
  if (config.isOfSeveral) {
    throw new Failure("unauthenticated", "no credentials for the container registry", {
      code: "no_registry_credentials",
      reason: "those of the environment are of one instance, and are sent to none of several",
      hint:
        "run it for one instance at a time: --profile <name>, with FORGECTL_REGISTRY_USER and " +
        "FORGECTL_REGISTRY_PASSWORD",
    });
  }
  const own = pairOf(env, "FORGECTL_REGISTRY_USER", "FORGECTL_REGISTRY_PASSWORD");
  if (own !== undefined) return own;
  const reason = whyNotOfJob(context);
  const job = reason === undefined ? pairOf(env, "CI_REGISTRY_USER", "CI_REGISTRY_PASSWORD") : undefined;
  if (job !== undefined) return job;
  throw new Failure("unauthenticated", "no credentials for the container registry", {
    code: "no_registry_credentials",
    hint:
      "set FORGECTL_REGISTRY_USER and FORGECTL_REGISTRY_PASSWORD; " +
      "a CI job has CI_REGISTRY_USER and CI_REGISTRY_PASSWORD",
    ...(reason !== undefined && { reason }),
  });
}

function pairOf(env: Context["env"], userName: string, passwordName: string): Basic | undefined {
  const [user, password] = [env[userName], env[passwordName]];
  if (!user && !password) return undefined;
  if (!user || !password) {
    const [there, missing] = user ? [userName, passwordName] : [passwordName, userName];
    throw new UsageError(`${there} is set, and ${missing} is not`, { code: "half_credentials" });
  }
  if (user.includes(":")) throw new UsageError(`${userName}: a name with a colon cannot be sent`);
  return { user, password, source: `${userName} and ${passwordName}` };
}

/** The job's credentials are for the job's instance, but a flag, a variable, or a profile may name another one. */
function whyNotOfJob({ env, config }: Context): string | undefined {
  if (!env.CI_SERVER_URL || !env.CI_REGISTRY_PASSWORD) return undefined;
  if (normalizeBaseUrl(env.CI_SERVER_URL, "CI_SERVER_URL") === config.baseUrl?.value) return undefined;
  return `CI_REGISTRY_PASSWORD is for CI_SERVER_URL, not for ${config.baseUrl?.value ?? "no address"}`;
}
