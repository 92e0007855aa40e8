import { isDay } from "../base/day.ts";
import { globOf } from "../base/glob.ts";
import { isObject } from "../base/is-object.ts";
import { hardeningRules, isExpectation, type Rule, severities } from "./hardening.ts";

/** An exempted rule, the reason, and the last day (`YYYY-MM-DD`). */
export interface Exemption {
  readonly setting: string;
  readonly reason: string;
  readonly until: string;
}

export interface Baseline {
  readonly rules: readonly Rule[];
  readonly exempt: readonly Exemption[];
}

/** The built-in rules. */
export const standard: Baseline = { rules: hardeningRules, exempt: [] };

/**
 * Merges the built-in rules with a baseline file: `rules` adds or changes rules by setting, `exempt` disables rules
 * with a reason and a last day. An entry of `rules` may also have the form that all audits share, of which only those
 * for settings count: `{ rule: settings.signup_enabled, exempt: { reason, until } }`. A rule with its own `expect`
 * always applies. Problems are reported through `problem`.
 */
export function readBaseline(content: unknown, problem: (path: string, message: string) => void): Baseline {
  if (!isObject(content)) {
    problem("", "must be a mapping of rules and exempt");
    return standard;
  }
  for (const key of Object.keys(content)) {
    if (key !== "rules" && key !== "exempt") problem(key, "is not allowed here: a baseline has rules and exempt");
  }
  const rules = new Map(hardeningRules.map((rule) => [rule.setting, rule]));
  const exempt = listOf(content.exempt, "exempt", problem).flatMap((given, index) =>
    readExemption(given, `exempt[${index}]`, problem),
  );
  for (const [index, given] of listOf(content.rules, "rules", problem).entries()) {
    const path = `rules[${index}]`;
    const setting = settingOf(given);
    if (setting === undefined) continue;
    if (isObject(given)) checkEntry(given, path, problem);
    const own: unknown = isObject(given) && typeof setting === "string" ? { ...given, setting } : given;
    if (isObject(own) && own.exempt !== undefined) {
      const of = isObject(own.exempt) ? { ...own.exempt, setting } : own.exempt;
      exempt.push(...readExemption(of, `${path}.exempt`, problem));
      if (!["expect", "severity", "why"].some((name) => name in own)) continue;
    }
    const rule = readRule(own, path, rules, problem);
    if (rule !== undefined) rules.set(rule.setting, rule);
  }
  return { rules: [...rules.values()], exempt };
}

/** The setting of an entry, null if it names none; undefined if it is a rule of another audit. */
function settingOf(given: unknown): string | null | undefined {
  if (!isObject(given)) return null;
  if (typeof given.rule !== "string") return typeof given.setting === "string" ? given.setting : null;
  return given.rule.startsWith("settings.") ? given.rule.slice("settings.".length) : undefined;
}

type Report = (path: string, message: string) => void;

const entryKeys = ["rule", "setting", "where", "expect", "severity", "exempt", "why"];

/** What is not understood may narrow what an entry accepts: nothing is left out in silence. */
function checkEntry(given: Record<string, unknown>, path: string, problem: Report): void {
  refuseOthers(given, entryKeys, { path, problem, has: "an entry has rule, where, expect, severity, and exempt" });
  const { where } = given;
  if (where !== undefined && !(typeof where === "string" && globOf(where)("instance"))) {
    problem(`${path}.where`, "does not hold for a setting, which is of the instance: leave it out");
  }
}

interface Refusal {
  readonly path: string;
  readonly problem: Report;
  /** Which names there are, in words. */
  readonly has: string;
}

/** Reports the names of a mapping that are not among `known`. */
export function refuseOthers(
  given: Record<string, unknown>,
  known: readonly string[],
  { path, problem, has }: Refusal,
): void {
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) problem(`${path}.${name}`, `is not allowed here: ${has}`);
  }
}

/** Reports what an exemption has besides its reason and its last day; `more` may stand beside them. */
export function checkExemption(given: unknown, path: string, problem: Report, more: readonly string[] = []): void {
  if (!isObject(given)) return;
  refuseOthers(given, ["reason", "until", ...more], { path, problem, has: "an exemption has reason and until" });
}

function listOf(value: unknown, path: string, problem: Report): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  problem(path, "must be a list");
  return [];
}

function readRule(given: unknown, path: string, rules: ReadonlyMap<string, Rule>, problem: Report): Rule | undefined {
  if (!isObject(given) || typeof given.setting !== "string") {
    problem(path, "must be a mapping with the name of a setting");
    return undefined;
  }
  const known = rules.get(given.setting);
  const expect = given.expect ?? known?.expect;
  // The condition of a built-in rule, and its value, belong to what it expects.
  const kept = given.expect === undefined || given.expect === null ? known : undefined;
  const severity = given.severity ?? known?.severity ?? "medium";
  if (!isExpectation(expect)) {
    problem(`${path}.expect`, "must have is, not, atLeast or atMost (a number), has (a text), or given (true)");
    return undefined;
  }
  if (!severities.includes(severity as never)) {
    problem(`${path}.severity`, `must be one of ${severities.join(", ")}`);
    return undefined;
  }
  const why = typeof given.why === "string" ? given.why : (known?.why ?? "your own rule");
  return { ...kept, setting: given.setting, expect, severity: severity as Rule["severity"], why };
}

function readExemption(given: unknown, path: string, problem: Report): Exemption[] {
  checkExemption(given, path, problem, ["setting"]);
  const { setting, reason, until } = isObject(given) ? given : {};
  if (typeof setting === "string" && typeof reason === "string" && reason !== "" && isDay(until))
    return [{ setting, reason, until }];
  problem(path, 'must have setting, reason, and until, such as { setting: x, reason: "...", until: "2027-01-31" }');
  return [];
}
