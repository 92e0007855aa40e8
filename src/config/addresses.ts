import type { Environment } from "../host.ts";
import { normalizeBaseUrl, normalizeCiRegistry, normalizeRegistryUrl, placeOf } from "./address.ts";
import type { Given } from "./config.ts";
import { fromFlag, fromProfile, fromVariable, type Parse, type Sources } from "./sources.ts";

export interface Addresses {
  baseUrl: Given | undefined;
  registryUrl: Given | undefined;
}

/**
 * The current addresses: flag, environment, profile. A CI job's variables count as the environment, except that a
 * profile named by flag or variable takes precedence, and that they describe only the job's own instance. Only the
 * addresses used are validated.
 */
export function resolveAddresses(sources: Sources, warn: (text: string) => void): Addresses {
  const { options, profile } = sources;
  const ofJob = (stored: Given | undefined, ofVariable: () => Given | undefined): Given | undefined =>
    profile?.explicit ? (stored ?? ofVariable()) : (ofVariable() ?? stored);
  const base = { parse: normalizeBaseUrl, about: "base_url" } as const;
  const registry = { parse: normalizeRegistryUrl, about: "registry_url" } as const;
  const variable = (name: string, { parse, about }: { parse: Parse<string>; about: "base_url" | "registry_url" }) =>
    fromVariable(sources, name, parse, about);

  const stored = fromProfile(sources, "base-url");
  const chosen =
    fromFlag(sources, options.baseUrl, { flag: "--base-url", ...base }) ?? variable("FORGECTL_BASE_URL", base);
  if (profile?.named && stored && chosen?.source === "FORGECTL_BASE_URL" && chosen.value !== stored.value) {
    warn(`FORGECTL_BASE_URL (${chosen.value}) is used, not the address of profile ${profile.name} (${stored.value})`);
  }
  const baseUrl = chosen ?? ofJob(stored, () => variable("CI_SERVER_URL", base));
  const ofProfile = isOfProfile(sources, baseUrl) ? fromProfile(sources, "registry-url") : undefined;
  return {
    baseUrl,
    registryUrl:
      fromFlag(sources, options.registryUrl, { flag: "--registry-url", ...registry }) ??
      variable("FORGECTL_REGISTRY_URL", registry) ??
      ofJob(ofProfile, () =>
        isOfJob(sources.env, baseUrl)
          ? variable("CI_REGISTRY", { ...registry, parse: normalizeCiRegistry })
          : undefined,
      ),
  };
}

/**
 * Whether the current address is that of the profile, or the profile has none: its project, group, and registry are
 * those of its own instance, and the same ID or path is something else on another.
 */
export function isOfProfile({ profile }: Pick<Sources, "profile">, baseUrl: Given | undefined): boolean {
  const own = profile?.values["base-url"];
  return own === undefined || baseUrl === undefined || placeOf(own) === placeOf(baseUrl.value);
}

/** Whether the current address is that of the CI job's own instance, which its other variables describe. */
export function isOfJob(env: Environment, baseUrl: Given | undefined): boolean {
  const { CI_SERVER_URL: own } = env;
  if (!own || baseUrl === undefined) return true;
  try {
    return normalizeBaseUrl(own, "CI_SERVER_URL") === baseUrl.value;
  } catch {
    return false;
  }
}
