import { isDay } from "../../base/day.ts";
import { tooManyAlike } from "../../base/globs.ts";
import { isObject } from "../../base/is-object.ts";
import { guesser } from "../../base/nearest.ts";
import { checkExemption, readBaseline, refuseOthers, standard } from "../../settings/baseline.ts";
import { isAtLeast, type Rule as SettingRule, type Severity, severities } from "../../settings/hardening.ts";
import { defaultDormantDays } from "../users/report.ts";
import { comparedGlob, type Entry, type Exemption, lastSaid } from "./amendments.ts";
import { type AuditRule, activeWithin, areaOf, areas, rulesWith } from "./rules.ts";

export interface AuditBaseline {
  readonly settings: readonly SettingRule[];
  readonly entries: readonly Entry[];
  readonly dormantDays: number;
  readonly allowedHosts: readonly string[] | undefined;
}

export const standardBaseline: AuditBaseline = {
  settings: standard.rules,
  entries: [],
  dormantDays: defaultDormantDays,
  allowedHosts: undefined,
};

type Problem = (path: string, message: string) => void;

/**
 * Reads a baseline file of all audits: `rules` is a list of `{ rule, where?, expect?, severity?, exempt? }`. The form
 * of `settings audit` is valid too. Problems are reported through `problem`.
 */
export function readAuditBaseline(content: unknown, problem: Problem): AuditBaseline {
  const settings = readBaseline(content, problem);
  const known = new Set(rulesWith(settings.rules).map(({ id }) => id));
  const guess = guesser();
  const found: { entries: Entry[]; dormantDays: number; allowedHosts: readonly string[] | undefined } = {
    entries: settings.exempt.map(({ setting, reason, until }) => ({
      rule: `settings.${setting}`,
      where: undefined,
      severity: undefined,
      exempt: { reason, until },
    })),
    dormantDays: defaultDormantDays,
    allowedHosts: undefined,
  };
  const rules = isObject(content) && Array.isArray(content.rules) ? content.rules : [];
  for (const [index, given] of rules.entries()) {
    if (!isObject(given) || typeof given.rule !== "string") continue;
    const path = `rules[${index}]`;
    checkRule(given.rule, { known, guess }, (message) => problem(`${path}.rule`, message));
    // Those of settings are read above.
    if (areaOf(given.rule) === "settings") continue;
    const has = "an entry has rule, where, expect, severity, and exempt";
    refuseOthers(given, ["rule", "where", "expect", "severity", "exempt", "why"], { path, problem, has });
    readExpectation(given, path, found, problem);
    const entry = readEntry(given, path, problem);
    if (entry !== undefined) found.entries.push(entry);
  }
  checkGlobs(found, problem);
  return { settings: settings.rules, ...found };
}

/** Each judgment goes through the globs of its rule, each webhook through those of hosts: the file may be another's. */
function checkGlobs({ entries, allowedHosts = [] }: Pick<AuditBaseline, "entries" | "allowedHosts">, problem: Problem) {
  const lists = new Map([["expect of hooks.foreign_host", allowedHosts.map((host) => host.toLowerCase())]]);
  for (const { rule, where = "**" } of entries) {
    const path = `where of ${rule}`;
    const held = lists.get(path);
    if (held === undefined) lists.set(path, [comparedGlob(where)]);
    else held.push(comparedGlob(where));
  }
  for (const [path, globs] of lists) {
    const excess = tooManyAlike(globs);
    if (excess !== undefined) problem(path, `costs too much: ${excess}; write fewer and wider ones`);
  }
}

interface Rules {
  /** IDs, those of the file's own rules among them. */
  readonly known: ReadonlySet<string>;
  readonly guess: ReturnType<typeof guesser>;
}

/** What is meant is one of the program's: how many a file has, and how long, is up to its author. */
function ownRules(): string[] {
  return rulesWith(standard.rules).map(({ id }) => id);
}

function checkRule(rule: string, { known, guess }: Rules, problem: (message: string) => void): void {
  if (known.has(rule) || areas.some((area) => rule === `${area}.*`)) return;
  const meant = guess(rule, ownRules());
  problem(`is not a rule: "${rule}"${meant === undefined ? "" : `; did you mean ${meant}?`}`);
}

function readEntry(given: Record<string, unknown>, path: string, problem: Problem): Entry | undefined {
  const { rule, where, severity, exempt } = given;
  if (where !== undefined && typeof where !== "string") {
    problem(`${path}.where`, "must be a text, such as acme/**");
    return undefined;
  }
  if (severity !== undefined && !severities.includes(severity as never)) {
    problem(`${path}.severity`, `must be one of ${severities.join(", ")}`);
    return undefined;
  }
  return {
    rule: rule as string,
    where,
    severity: severity as Severity | undefined,
    exempt: exempt === undefined ? undefined : readExemption(exempt, `${path}.exempt`, problem),
  };
}

function readExemption(given: unknown, path: string, problem: Problem): Exemption | undefined {
  checkExemption(given, path, problem);
  const { reason, until } = isObject(given) ? given : {};
  if (typeof reason === "string" && reason !== "" && isDay(until)) return { reason, until };
  problem(path, 'must have reason and until, such as { reason: "...", until: "2027-01-31" }');
  return undefined;
}

/** Two rules besides those of settings have a value that a file can change. */
function readExpectation(
  { rule, where, expect }: Record<string, unknown>,
  path: string,
  found: { dormantDays: number; allowedHosts: readonly string[] | undefined },
  problem: Problem,
): void {
  if (expect === undefined) return;
  if (where !== undefined) {
    problem(`${path}.expect`, "holds everywhere: leave out where");
  } else if (rule === "users.dormant") {
    const days = isObject(expect) ? expect.atMost : undefined;
    if (typeof days === "number" && days >= 1) found.dormantDays = days;
    else problem(`${path}.expect`, "must be a number of days: { atMost: 90 }");
  } else if (rule === "hooks.foreign_host") {
    const hosts = isObject(expect) ? expect.in : undefined;
    if (Array.isArray(hosts) && hosts.every((each) => typeof each === "string")) found.allowedHosts = hosts;
    else problem(`${path}.expect`, 'must be a list of hosts: { in: ["*.example.com"] }');
  } else problem(`${path}.expect`, `${String(rule)} has no value to change`);
}

/** The rules as the file changes them everywhere; what it says about a place is for `amender`. */
function rulesOf({ settings, entries, dormantDays, allowedHosts }: AuditBaseline): AuditRule[] {
  const everywhere = entries.filter(({ where }) => where === undefined);
  const severityOf = lastSaid(everywhere, ({ severity }) => severity);
  const expected: Readonly<Record<string, string | undefined>> = {
    "users.dormant": activeWithin(dormantDays),
    "hooks.foreign_host": allowedHosts && `a host of ${allowedHosts.join(", ")}`,
  };
  return rulesWith(settings).map((rule) => ({
    ...rule,
    severity: severityOf(rule.id, [""]) ?? rule.severity,
    expect: expected[rule.id] ?? rule.expect,
  }));
}

/** The rules that are of this severity or above somewhere: an entry may raise one at a place. */
export function rulesFrom(baseline: AuditBaseline, least: Severity): AuditRule[] {
  const raised = new Set(
    baseline.entries.flatMap(({ rule, severity }) => (severity && isAtLeast(severity, least) ? [rule] : [])),
  );
  return rulesOf(baseline).filter(
    ({ id, severity }) => isAtLeast(severity, least) || raised.has(id) || raised.has(`${areaOf(id)}.*`),
  );
}
