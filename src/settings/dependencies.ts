import { findSetting } from "./catalogue.ts";
import { differsFromDefault, sameValue } from "./compare.ts";
import { otherNameOf } from "./other-names.ts";
import { isSecretSetting, isShownMasked } from "./secret-settings.ts";
import type { Setting } from "./setting.ts";
import { isEmpty, type Problem } from "./value.ts";

/** The values to send, and the current ones, if known. */
export interface Values {
  readonly values: Readonly<Record<string, unknown>>;
  readonly current: Readonly<Record<string, unknown>> | undefined;
}

/** Missing settings that an enabled setting requires, by name. */
export function checkRequired(setting: Setting, all: Values): [name: string, problem: Problem][] {
  if (all.values[setting.name] !== true) return [];
  return (setting.requires ?? [])
    .filter((name) => !isGiven(name, all))
    .map((name) => [
      name,
      {
        severity: "error",
        message: `is required when ${setting.name} is enabled`,
        hint: `give ${name} a value, or leave ${setting.name} out`,
      },
    ]);
}

function isGiven(name: string, { values, current }: Values): boolean {
  if (Object.hasOwn(values, name)) return !isEmpty(values[name]);
  const setting = findSetting(name);
  // A tier without the setting does not require it; a text may be empty if it was never changed.
  if (setting?.tier !== undefined || (setting?.mayBeEmpty === true && current !== undefined)) return true;
  return canBeSent(name, current ?? {}) && !isEmpty(current?.[name]);
}

/** Whether the current value can be sent again: it is known, and nothing of it is masked. */
export function canBeSent(name: string, current: Readonly<Record<string, unknown>>): boolean {
  if (!Object.hasOwn(current, name) || isShownMasked(current[name])) return false;
  return !(isSecretSetting(name) && isEmpty(current[name]));
}

/** The current values that must be in the same request as the setting that they belong to, even if empty. */
export function sentAlong({ values, current = {} }: Values): Readonly<Record<string, unknown>> {
  const required = companionsOf(values).filter((name) => !Object.hasOwn(values, name) && canBeSent(name, current));
  return Object.fromEntries(required.map((name) => [name, current[name]]));
}

/**
 * What must be in the same request as the settings that it switches on: what the documents require, the URL that
 * instances require with any `…_enabled`, and the one period of the housekeeping, under any of its names.
 */
export function companionsOf(values: Readonly<Record<string, unknown>>): string[] {
  const names = Object.keys(values)
    .filter((name) => values[name] === true)
    .flatMap((name) => [...(findSetting(name)?.requires ?? []), ...addressOf(name), ...periodOf(name)]);
  const isGivenOtherwise = (name: string) => Object.keys(values).some((each) => otherNameOf(each, (of) => of === name));
  return [...new Set(names)].filter((name) => !isGivenOtherwise(name));
}

function periodOf(name: string): string[] {
  return name === "housekeeping_enabled" ? ["housekeeping_optimize_repository_period"] : [];
}

function addressOf(name: string): string[] {
  return name.endsWith("_enabled") ? [name.replace(/_enabled$/, "_url")] : [];
}

/** Clearing a value that a current setting requires. */
export function checkEmptied(setting: Setting, { values, current }: Values): Problem[] {
  const { name, requiredBy } = setting;
  if (requiredBy === undefined || !isEmpty(values[name])) return [];
  if (Object.hasOwn(values, requiredBy) || current?.[requiredBy] !== true) return [];
  return [{ severity: "warning", message: `is emptied while ${requiredBy} is enabled, which requires it` }];
}

/** A value that has no effect because of another setting's value. */
export function checkApplies(setting: Setting, { values, current }: Values): Problem[] {
  const { name, appliesWhen } = setting;
  const value = values[name];
  if (appliesWhen === undefined || isEmpty(value)) return [];
  if (differsFromDefault(setting, value) === false || sameValue(value, current?.[name])) return [];
  const other = appliesWhen.setting;
  const effective = Object.hasOwn(values, other) ? values[other] : current?.[other];
  if (effective === appliesWhen.is) return [];
  return [
    {
      severity: "warning",
      message: `has an effect only while ${other} is ${appliesWhen.is}`,
      hint: `set ${other}=${appliesWhen.is} as well`,
    },
  ];
}
