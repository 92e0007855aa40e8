import type { Environment } from "../host.ts";
import { normalizeBaseUrl, normalizeCiRegistry, normalizeRegistryUrl } from "./address.ts";
import type { ChosenProfile } from "./profile.ts";
import type { Given, GlobalOptions } from "./types.ts";

export interface Addresses {
  baseUrl: Given | undefined;
  registryUrl: Given | undefined;
}

type Normalize = (text: string, source: string) => string;
type Source = () => Given | undefined;

/**
 * The addresses in force: flag, environment, profile. A CI job's own variables stand for the environment, but give way
 * to a profile named with `--profile`, as the environment's token does. Only what is used is checked.
 */
export function resolveAddresses(
  options: GlobalOptions,
  env: Environment,
  profile: ChosenProfile | undefined,
  warn: (text: string) => void,
): Addresses {
  const ofProfile = (key: "base-url" | "registry-url"): Given | undefined => {
    const value = profile?.values[key];
    return value === undefined ? undefined : { value, source: `profile ${profile?.name}` };
  };
  const ofJob = (name: string, normalize: Normalize, stored: Given | undefined): Given | undefined => {
    const ofVariable: Source = () => fromVariable(env, name, normalize);
    return profile?.named ? (stored ?? ofVariable()) : (ofVariable() ?? stored);
  };
  const stored = ofProfile("base-url");
  const chosen =
    fromFlag(options.baseUrl, "--base-url", normalizeBaseUrl) ??
    fromVariable(env, "FORGECTL_BASE_URL", normalizeBaseUrl);
  if (profile?.named && stored && chosen?.source === "FORGECTL_BASE_URL" && chosen.value !== stored.value) {
    warn(`FORGECTL_BASE_URL (${chosen.value}) is used, not the address of profile ${profile.name} (${stored.value})`);
  }
  return {
    baseUrl: chosen ?? ofJob("CI_SERVER_URL", normalizeBaseUrl, stored),
    registryUrl:
      fromFlag(options.registryUrl, "--registry-url", normalizeRegistryUrl) ??
      fromVariable(env, "FORGECTL_REGISTRY_URL", normalizeRegistryUrl) ??
      ofJob("CI_REGISTRY", normalizeCiRegistry, ofProfile("registry-url")),
  };
}

function fromFlag(text: string | undefined, flag: string, normalize: Normalize): Given | undefined {
  return text === undefined ? undefined : { value: normalize(text, flag), source: flag };
}

/** An empty variable counts as not set. */
function fromVariable(env: Environment, name: string, normalize: Normalize): Given | undefined {
  const text = env[name];
  return text ? { value: normalize(text, name), source: name } : undefined;
}
