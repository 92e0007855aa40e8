import { getCatalog, getRegistryToken } from "../../api/endpoints/registry.ts";
import { Failure } from "../../base/errors.ts";
import { registryCredentials } from "../registry/credentials.ts";
import { type Check, type Finding, failed, ok } from "./checks.ts";
import type { Subject } from "./subject.ts";

const addressHint = "check --registry-url, FORGECTL_REGISTRY_URL, or the profile key registry-url";

/** The container registry, which has its own address and tokens. */
export function registryChecks(subject: Subject): Check[] {
  return [
    { name: "registry", sends: true, needs: ["values"], hint: addressHint, run: () => checkRegistry(subject) },
    {
      name: "registry_token",
      sends: true,
      needs: ["api"],
      hint: "check FORGECTL_REGISTRY_USER and FORGECTL_REGISTRY_PASSWORD",
      run: () => checkToken(subject),
    },
  ];
}

/** A registry refuses requests without a token; any other answer is not a registry, or a public one. */
async function checkRegistry({ api, config }: Subject): Promise<Finding> {
  if (config.registryUrl === undefined) {
    return { result: "skipped", detail: "no registry URL is configured; only a few registry commands need one" };
  }
  const { value, source } = config.registryUrl;
  try {
    const { headers, discard } = await api.download(getCatalog, { n: 1 });
    await discard();
    if (/\bjson\b/.test(headers["content-type"] ?? "")) return ok(`${value} (${source}) answers, without a token too`);
    return {
      result: "fail",
      exit: "refused",
      detail: `${value} (${source}) is not a container registry`,
      hint: addressHint,
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.details.status === 401) return ok(`${value} (${source}) answers`);
    return failed(error, addressHint);
  }
}

async function checkToken({ api, context }: Subject): Promise<Finding> {
  let found: ReturnType<typeof registryCredentials>;
  try {
    found = registryCredentials(context);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "no_registry_credentials") throw error;
    return { result: "skipped", detail: error.details.reason ?? error.message, hint: error.details.hint };
  }
  const { authorization, source } = found;
  const hint = `check ${source}`;
  try {
    // No scope: only whether the credentials are accepted matters.
    const { token } = await api.call(getRegistryToken, { service: "container_registry", scope: [] }, { authorization });
    if (typeof token === "string" && token !== "") return ok(`the instance issues one for ${source}`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...failed(error, hint), hint };
  }
  return { result: "fail", exit: "refused", detail: "the token endpoint answered without a token", hint };
}
