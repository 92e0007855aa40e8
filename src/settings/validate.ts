import { guesser, type nearest } from "../base/nearest.ts";
import { findSetting, settingNames } from "./catalogue.ts";
import { checkApplies, checkEmptied, checkRequired, type Values } from "./dependencies.ts";
import type { Setting } from "./setting.ts";
import { checkUnit } from "./units.ts";
import { checkValue, type Problem } from "./value.ts";

/** A finding on a set of values; `message` continues the setting's name. */
export interface Finding extends Problem {
  readonly setting: string;
}

/** Fields of the record that are not settings: the server sets them. */
export const recordFields: readonly string[] = ["id", "created_at", "updated_at"];

interface Options {
  current?: Readonly<Record<string, unknown>>;
  strict?: boolean;
  /** Finds the names that were probably meant; by default, those of the first unknown ones. */
  guess?: typeof nearest;
}

/**
 * Validates values against the catalogue without requests: unknown names, types, bounds, enumerations, what an
 * enabled setting requires, what has no effect, and what is deprecated.
 *
 * With `current` (the current settings) a requirement may also be met by them; with `strict`, or if they do not have
 * it either, an unknown name is an error;
 * with `alone` only findings that do not depend on current settings are reported.
 */
export function validateSettings(
  values: Record<string, unknown>,
  options: Options & { alone?: boolean } = {},
): Finding[] {
  const { guess = guesser() } = options;
  const all: Values = { values, current: options.current };
  return Object.entries(values).flatMap(([name, value]) => {
    const setting = findSetting(name);
    if (setting === undefined) {
      const units = checkUnit(name, value).map((problem) => ({ setting: name, ...problem }));
      return [unknownName(name, { ...options, guess }), ...units];
    }
    return [...checkAlone(setting, value), ...(options.alone ? [] : checkTogether(setting, all))];
  });
}

function checkAlone(setting: Setting, value: unknown): Finding[] {
  const problems = [...checkValue(setting, value), ...checkDeprecated(setting)];
  return problems.map((problem) => ({ setting: setting.name, ...problem }));
}

function checkTogether(setting: Setting, all: Values): Finding[] {
  const problems = [...checkEmptied(setting, all), ...checkApplies(setting, all)];
  return [
    ...problems.map((problem) => ({ setting: setting.name, ...problem })),
    ...checkRequired(setting, all).map(([name, problem]) => ({ setting: name, ...problem })),
  ];
}

function checkDeprecated({ deprecated }: Setting): Problem[] {
  if (deprecated === undefined) return [];
  const message = deprecated.since === undefined ? "is deprecated" : `is deprecated since ${deprecated.since}`;
  const hint = deprecated.use && `use ${deprecated.use.join(" or ")}`;
  return [hint === undefined ? { severity: "warning", message } : { severity: "warning", message, hint }];
}

function unknownName(name: string, { strict = false, current, guess }: Options & { guess: typeof nearest }): Finding {
  const isUnknown = current !== undefined && !Object.hasOwn(current, name);
  const severity = strict || isUnknown ? "error" : "warning";
  if (recordFields.includes(name)) {
    return { setting: name, severity, message: "is not a setting: the server sets it", hint: "leave it out" };
  }
  const near = guess(name, isUnknown ? [...settingNames, ...Object.keys(current)] : settingNames);
  const message = isUnknown
    ? "is not a setting: neither the API documents nor the instance have it"
    : "is not a setting that the API documents name";
  if (!isUnknown && current !== undefined) return { setting: name, severity, message };
  return near === undefined
    ? { setting: name, severity, message }
    : { setting: name, severity, message, hint: `did you mean ${near}?` };
}
