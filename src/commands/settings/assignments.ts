import { UsageError } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { hasShownMask, shownMaskText } from "../../base/masked.ts";
import { isStdin } from "../../base/special-file.ts";
import type { Context } from "../../context.ts";
import { findSetting } from "../../settings/catalogue.ts";
import { sameValue } from "../../settings/compare.ts";
import { fixOf } from "../../settings/fix.ts";
import type { Rule } from "../../settings/hardening.ts";
import { isIdSetting } from "../../settings/id-setting.ts";
import { replacedBy } from "../../settings/other-names.ts";
import { parseAssignment, parseSettingValue, SettingError } from "../../settings/parse.ts";
import { hiddenValue, isSecretSetting, isShownMasked } from "../../settings/secret-settings.ts";
import { asTaken } from "../../settings/units.ts";
import { type Finding, validateSettings } from "../../settings/validate.ts";
import { isEmpty } from "../../settings/value.ts";
import { readTextSource, withoutLineEnd } from "../../transfer/source.ts";
import { exposure } from "../../verbs/leak-warning.ts";

type Values = Readonly<Record<string, unknown>>;

interface Assignment {
  name: string;
  text: string;
}

/** The parsed values, with findings on how they were given. */
interface Assigned {
  values: Record<string, unknown>;
  findings: Finding[];
}

/** `name=value`, `name=@file`, `name=-`. A value of the wrong type is a finding; any other problem is thrown. */
export async function readAssignments(context: Context, words: readonly string[]): Promise<Assigned> {
  const assignments = words.map(split);
  refuseRepeated(assignments);
  const values: [string, unknown][] = [];
  const findings: Finding[] = [];
  for (const { name, text } of assignments) {
    const literal = text !== "-" && !text.startsWith("@");
    if (literal && text !== "" && isSecretSetting(name)) findings.push(exposed(name));
    const value = literal ? text : await read(context, name, text);
    try {
      const parsed = parseSettingValue(findSetting(name), value);
      if (hasShownMask(parsed, isSecretSetting(name))) findings.push(masked(name));
      values.push([name, parsed]);
    } catch (error) {
      findings.push(unreadable(name, error));
    }
  }
  const names = values.map(([name]) => name);
  return { values: Object.fromEntries(values), findings: [...findings, ...replacedIn(names)] };
}

/** In one request, an instance computes a setting from the old one that it replaces, whatever is sent for it. */
function replacedIn(names: readonly string[]): Finding[] {
  return names.flatMap((old) =>
    replacedBy([old])
      .filter((name) => names.includes(name))
      .map((name) => ({
        setting: name,
        severity: "error",
        message: `would be lost: in one request, instances compute it from ${old}`,
        hint: `leave ${old} out, or set ${name} afterwards, with a command of its own`,
      })),
  );
}

/**
 * The assignments that restore the previous values. Undefined if one cannot be typed: a secret, a value that the
 * instance did not return, a hash without the keys that it has now, or one that would not be accepted.
 */
export function assignmentsBack(values: Values, current: Values): string[] | undefined {
  const isChanged = (name: string) => !sameValue(asTaken(name, values[name]), asTaken(name, current[name]));
  const changed = Object.keys(values).filter(isChanged);
  // Instances keep the terms of service where they get none.
  if (changed.includes("terms") && isEmpty(current.terms)) return undefined;
  const words = changed.map((name) =>
    addsKeys(values[name], current[name]) ? undefined : assignmentOf(name, current),
  );
  return words.every((word) => word !== undefined) ? words : undefined;
}

/** The keys that a line does not give are kept, so that none removes a new one. */
function addsKeys(value: unknown, before: unknown): boolean {
  return isObject(value) && isObject(before) && Object.keys(value).some((key) => !Object.hasOwn(before, key));
}

/**
 * The assignment that repairs what a rule has found. Undefined if none can be typed: the value may be another person's
 * text, and is a value in any case, neither a file nor stdin.
 */
export function assignmentFor(rule: Rule, current: Values): string | undefined {
  const { setting } = rule;
  const word = assignmentOf(setting, { [setting]: fixOf(rule, current[setting]) });
  // Where lines are cells of a table, a line feed is not itself.
  return word?.endsWith("\n") ? undefined : word;
}

/** No shell can give these to a program: NUL, and halves of a character. */
const untyped = /[\0\p{Cs}]/u;

function assignmentOf(name: string, current: Values): string | undefined {
  const value = current[name];
  if (!settingName.test(name)) return undefined;
  if (value === undefined || isSecretSetting(name) || isShownMasked(value)) return undefined;
  if (!sameValue(hiddenValue(name, value), value)) return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text === "-" || text.startsWith("@") || untyped.test(text)) return undefined;
  try {
    const setting = findSetting(name);
    const parsed = parseSettingValue(setting, text);
    const isOtherType = setting?.shownAs !== undefined && parsed === text;
    // Instances show a decimal as a text: "1.0".
    const isDecimal = typeof parsed === "number" && typeof value === "string" && parsed === Number(value);
    if (!sameValue(parsed, value) && !isOtherType && !isDecimal) return undefined;
    const problems = validateSettings({ [name]: parsed }, { strict: false, alone: true });
    return problems.some(({ severity }) => severity === "error") ? undefined : `${name}=${text}`;
  } catch {
    return undefined;
  }
}

/** Also excludes names with a special meaning in JavaScript. */
const settingName = /^[a-z]\w*$/i;

/** Whether an assignment names a project or a group by its ID (`7`, `+7`, `"7"`, `[7]`), or reads it. */
export function givesId(word: string): boolean {
  const [name = "", text = ""] = word.split(/=(.*)/s).map((part) => part.trim());
  if (!isIdSetting(name)) return false;
  return text === "-" || text.startsWith("@") || text.split(",").some((each) => /^[\s+"'[]*\d+[\s"'\]]*$/.test(each));
}

function split(word: string): Assignment {
  try {
    const assignment = parseAssignment(word);
    if (settingName.test(assignment.name)) return assignment;
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    throw new UsageError(error.message, { hint: "write it as name=value, such as signup_enabled=false" });
  }
  // Its value may be a secret.
  throw new UsageError(`"${word.split("=", 1)[0]}" does not name a setting`, {
    hint: "write it as name=value, such as signup_enabled=false",
  });
}

function refuseRepeated(assignments: readonly Assignment[]): void {
  const seen = new Set<string>();
  for (const { name } of assignments) {
    if (seen.has(name)) throw new UsageError(`${name} is given twice`);
    seen.add(name);
  }
  const fromStdin = assignments.filter(({ text }) => text === "-").map(({ name }) => name);
  if (fromStdin.length > 1) {
    throw new UsageError(`stdin can be the value of one setting only, not of ${fromStdin.join(" and ")}`, {
      hint: "read the others from files, as name=@file",
    });
  }
}

async function read(context: Context, name: string, text: string): Promise<string> {
  if (text === "@") throw new UsageError(`${name}=@: missing <file>`);
  // A secret typed on a terminal would remain visible.
  if (text === "-" && context.prompt.available && isSecretSetting(name)) {
    const typed = await context.prompt.secret(`${name}:`);
    if (typed.trim() !== "") return typed;
    throw new UsageError(`${name}: nothing was typed`, { hint: `an empty value is ${name}=` });
  }
  const source = text === "-" ? "-" : text.slice(1);
  const content = await readTextSource(context, source);
  const value = findSetting(name)?.type === "text" ? content : withoutLineEnd(content);
  if (value !== "") return value;
  // What a command that failed leaves in a pipe or a file.
  throw new UsageError(`${name}=${text}: ${isStdin(source) ? "stdin" : source} is empty`, {
    hint: `an empty value is ${name}=`,
  });
}

function exposed(setting: string): Finding {
  return {
    setting,
    severity: "warning",
    message: exposure,
    hint: `use ${setting}=- or ${setting}=@file`,
  };
}

function masked(setting: string): Finding {
  return {
    setting,
    severity: "error",
    message: shownMaskText,
    hint: "read it with --reveal",
  };
}

function unreadable(setting: string, error: unknown): Finding {
  if (!(error instanceof SettingError)) throw error;
  return { setting, severity: "error", message: error.message, hint: error.hint };
}
