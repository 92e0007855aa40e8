import type { Environment } from "../host.ts";
import type { Given, GlobalOptions, Problem } from "./config.ts";
import type { ChosenProfile } from "./profile.ts";
import type { Take } from "./strictness.ts";
import { type ProfileKey, parseText } from "./values.ts";

export type Parse<T> = (text: string, source: string) => T;

/** The sources of values: flag, environment, profile. */
export interface Sources {
  options: GlobalOptions;
  env: Environment;
  profile: ChosenProfile | undefined;
  take: Take;
}

/** A value of a flag. */
export function fromFlag<T>(
  { take }: Sources,
  text: string | number | undefined,
  { flag, parse, about = "values" }: { flag: string; parse: Parse<T>; about?: Problem["about"] },
): Given<T> | undefined {
  return text === undefined ? undefined : take(about, () => ({ value: parse(String(text), flag), source: flag }));
}

/** A value of an environment variable; an empty one counts as not set. */
export function fromVariable<T>(
  { env, take }: Pick<Sources, "env" | "take">,
  name: string,
  parse: Parse<T>,
  about: Problem["about"] = "values",
): Given<T> | undefined {
  const text = env[name];
  return text ? take(about, () => ({ value: parse(text, name), source: name })) : undefined;
}

/** A text from an environment variable. */
export function textFrom(sources: Sources, name: string): Given | undefined {
  return fromVariable(sources, name, parseText);
}

/** A value of the current profile, validated when the profile was chosen. */
export function fromProfile({ profile }: Pick<Sources, "profile">, key: ProfileKey): Given | undefined {
  const value = profile?.values[key];
  return value === undefined ? undefined : { value, source: `profile ${profile?.name}` };
}
