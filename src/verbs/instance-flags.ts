import { commandLine } from "../base/shell-words.ts";
import type { Config, Given } from "../config/config.ts";

type Chosen = Pick<Config, "profile" | "baseUrl" | "registryUrl" | "isOfSandbox"> &
  Pick<Config, "currentProfile" | "profileUrl" | "hasOtherProfiles" | "hasNamedFolder">;

/**
 * The flags that select this instance in another shell and later, each after a space: those typed, what variables gave,
 * and the current profile, if it may be another one then.
 */
export function instanceFlags(config: Chosen): string {
  const { profile, baseUrl, hasOtherProfiles, hasNamedFolder } = config;
  const mayChange = hasOtherProfiles && !hasNamedFolder && baseUrl?.source.startsWith("profile ") === true;
  return flagsFrom(config, (given) => /^(?:--|FORGECTL_|CI_)/.test(given.source) || (mayChange && given === profile));
}

/**
 * The same in this shell, which may have the variables already: those that were typed. What is set for one line
 * (`FORGECTL_PROFILE=staging forgectl …`), or by `sandbox exec`, is not there for the next: where that would be for the
 * instance of the current profile, a variable's value is named too, unless it says the same.
 */
export function typedInstanceFlags(config: Chosen): string {
  if (config.isOfSandbox) return instanceFlags(config);
  const { currentProfile, profileUrl, hasNamedFolder } = config;
  const isOther = ({ value }: Given) => hasNamedFolder || (value !== currentProfile && value !== profileUrl);
  const isNeeded = (given: Given) =>
    currentProfile !== undefined && given.source.startsWith("FORGECTL_") && isOther(given);
  return flagsFrom(config, (given) => given.source.startsWith("--") || isNeeded(given));
}

/** The same on another machine, whose profiles are others: the addresses. */
export function addressFlags({ baseUrl, registryUrl }: Pick<Config, "baseUrl" | "registryUrl">): string {
  return [
    { flag: "--base-url", given: baseUrl },
    { flag: "--registry-url", given: registryUrl },
  ]
    .flatMap(({ flag, given }) => (given === undefined ? [] : [` ${commandLine([flag, given.value])}`]))
    .join("");
}

/**
 * Of a folder that `FORGECTL_CONFIG_DIR` names, the addresses of its profiles are named, since the profiles may be
 * others where the line is typed.
 */
function flagsFrom(config: Chosen, isChosen: (given: Given) => boolean): string {
  const { profile, baseUrl, registryUrl, hasNamedFolder } = config;
  const isNeeded = (given: Given) => isChosen(given) || (hasNamedFolder && given.source.startsWith("profile "));
  const flags = [
    { flag: "--profile", given: profile },
    { flag: "--base-url", given: baseUrl },
    { flag: "--registry-url", given: registryUrl },
  ];
  return flags
    .flatMap(({ flag, given }) =>
      given !== undefined && isNeeded(given) ? [` ${commandLine([flag, given.value])}`] : [],
    )
    .join("");
}

/**
 * Quoted text, which may contain anything, or the program's name before a command: not in "another forgectl runs", nor
 * before a flag, or a line of several profiles, which refuses another one.
 */
const quotedOrProgram = /\\.|'[^']*'|"[^"]*"|(?<!other )\bforgectl(?= [a-z])(?! each --profiles )/g;

/**
 * The flags with which this instance was selected, in each command that a text suggests: pasted without them, a command
 * would change or read the instance of the current profile.
 */
export function onSameInstance(config: Chosen, text: string): string {
  const flags = typedInstanceFlags(config);
  return flags === "" ? text : text.replace(quotedOrProgram, (found) => (found === "forgectl" ? found + flags : found));
}
