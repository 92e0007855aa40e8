import { UsageError } from "../../base/errors.ts";
import { normalizeBaseUrl } from "../../config/address.ts";
import type { Given } from "../../config/config.ts";
import { requireBaseUrl } from "../../config/resolve.ts";
import type { ProfilesData } from "../../config/shape.ts";
import type { Context } from "../../context.ts";

export interface Instance {
  /** The profile to store in. */
  profile: string;
  baseUrl: Given;
}

/** The instance to sign in to, and the profile to store it in. Prompts if neither flag nor configuration names it. */
export async function chooseInstance(context: Context): Promise<Instance> {
  const data = await context.config.store.read();
  const baseUrl = await chooseBaseUrl(context);
  return { profile: profileFor(context, data, baseUrl.value), baseUrl };
}

async function chooseBaseUrl({ config, prompt }: Context): Promise<Given> {
  const known = config.baseUrl;
  const isStored = known !== undefined && known.source === `profile ${config.profile?.value}`;
  if (!prompt.available || (known !== undefined && !isStored)) {
    return known ?? { value: requireBaseUrl(config), source: "" };
  }
  const answer = await prompt.text("Address of the instance:", known === undefined ? {} : { default: known.value });
  return { value: normalizeBaseUrl(answer, "the address"), source: "answer" };
}

/** A login to another instance must not replace a profile that was not named. */
function profileFor({ config }: Context, data: ProfilesData, baseUrl: string): string {
  const { profile } = config;
  if (profile === undefined) return unusedDefault(data, baseUrl);
  const stored = data.profiles.get(profile.value)?.settings["base-url"];
  if (profile.source !== "current profile" || stored === undefined || sameAddress(stored, baseUrl))
    return profile.value;
  throw otherInstance(profile.value, stored);
}

function unusedDefault(data: ProfilesData, baseUrl: string): string {
  const stored = data.profiles.get("default")?.settings["base-url"];
  if (stored !== undefined && !sameAddress(stored, baseUrl)) throw otherInstance("default", stored);
  return "default";
}

function sameAddress(stored: string, baseUrl: string): boolean {
  try {
    return normalizeBaseUrl(stored, "profile") === baseUrl;
  } catch (error) {
    // An invalid address may be replaced.
    if (error instanceof UsageError) return true;
    throw error;
  }
}

function otherInstance(name: string, stored: string): UsageError {
  return new UsageError(`profile ${name} is for ${stored}; name a profile for this instance with --profile`, {
    code: "other_instance",
    hint: `--profile ${name} replaces its address`,
  });
}
