import { differsFromDefault, sameValue } from "./compare.ts";
import type { Setting } from "./setting.ts";
import { isEmpty, type Problem } from "./value.ts";

/** What is to be sent, and what is in force where that is known. */
export interface Values {
  readonly values: Readonly<Record<string, unknown>>;
  readonly current: Readonly<Record<string, unknown>> | undefined;
}

/** What the setting that is being enabled requires and nobody has given, by the name of what is missing. */
export function checkRequired(setting: Setting, all: Values): [name: string, problem: Problem][] {
  if (all.values[setting.name] !== true) return [];
  return (setting.requires ?? [])
    .filter((name) => !isGiven(name, setting.name, all))
    .map((name) => [
      name,
      {
        severity: "error",
        message: `is required when ${setting.name} is enabled`,
        hint: `give ${name} a value, or leave ${setting.name} out`,
      },
    ]);
}

function isGiven(name: string, enabledBy: string, { values, current }: Values): boolean {
  if (Object.hasOwn(values, name)) return !isEmpty(values[name]);
  // What is enabled already was accepted once; a server need not show a secret it holds.
  return current?.[enabledBy] === true || !isEmpty(current?.[name]);
}

/** Emptying what a setting in force requires. */
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
  const inForce = Object.hasOwn(values, other) ? values[other] : current?.[other];
  if (inForce === appliesWhen.is) return [];
  return [
    {
      severity: "warning",
      message: `has an effect only while ${other} is ${appliesWhen.is}`,
      hint: `set ${other}=${appliesWhen.is} as well`,
    },
  ];
}
