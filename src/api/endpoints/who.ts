import { UsageError } from "../../base/errors.ts";
import { nearest } from "../../base/nearest.ts";
import { ownValue } from "../../base/own-value.ts";

/** The subject of a protected environment's rule: exactly one of the first three. */
export interface Who {
  user_id?: number;
  group_id?: number;
  access_level?: number;
  /** 1: inherited members count too. 0, the default: only direct members of the group. */
  group_inheritance_type?: number;
}

interface Approval extends Who {
  required_approvals?: number;
}

/** Access levels of deployment rules (`1-project-api: Protected environment`). */
export const deployLevels: Readonly<Record<string, number>> = { developer: 30, maintainer: 40, admin: 60 };

const forms =
  "user:<id>, group:<id>, or level:<developer|maintainer|admin|number>, with +inherited for inherited members";
/** Suffix of a rule: its inherited members count too. */
export const inherited = "+inherited";

/**
 * `user:4`, `group:9+inherited`, `level:maintainer`. Bad text is a UsageError.
 *
 * @param label the flag as typed: `--allow`.
 */
export function parseWho(text: string, label: string): Who {
  const bare = text.endsWith(inherited) ? text.slice(0, -inherited.length) : text;
  const [, kind, value = ""] = /^(user|group|level):(.+)$/.exec(bare) ?? [];
  if (kind === undefined) throw new UsageError(`${label}: must be ${forms}, not "${text}"`);
  const who: Who =
    kind === "level" ? { access_level: parseLevel(value, label) } : { [`${kind}_id`]: parseId(value, kind, label) };
  return bare === text ? who : { ...who, group_inheritance_type: 1 };
}

/** The same with the suffix `=<n>`: the number of required approvals, at least one. */
export function parseApproval(text: string, label: string): Approval {
  const [, who = "", count] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  const parsed = parseWho(who, label);
  if (count === undefined) return parsed;
  if (!/^\d+$/.test(count) || !Number.isSafeInteger(Number(count)) || Number(count) < 1) {
    throw new UsageError(`${label}: the number of approvals must be at least 1, not "${count}" in "${text}"`);
  }
  return { ...parsed, required_approvals: Number(count) };
}

/** `12=user:4`: the ID of an existing rule, and its new value, which `parse` reads. */
export function parseChange<T extends Who>(
  text: string,
  label: string,
  parse: (text: string, label: string) => T,
): T & { id: number } {
  const [, rule, who = ""] = /^(\d+)=(.*)$/s.exec(text) ?? [];
  if (rule === undefined) throw new UsageError(`${label}: must be <rule id>=<who>, not "${text}"`);
  // If left out, a rule for inherited members would remain one.
  return { id: parseId(rule, "rule", label), group_inheritance_type: 0, ...parse(who, label) };
}

function parseId(text: string, kind: string, label: string): number {
  const id = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(id) && id > 0) return id;
  throw new UsageError(`${label}: the ${kind} must be an ID (a whole number of at least 1), not "${text}"`);
}

function parseLevel(text: string, label: string): number {
  const named = ownValue(deployLevels, text.toLowerCase());
  const level = named ?? (/^\d{1,3}$/.test(text) ? Number(text) : undefined);
  if (level !== undefined) return level;
  const names = Object.keys(deployLevels);
  const guess = nearest(text, names);
  throw new UsageError(
    `${label}: the level must be one of ${names.join(", ")}, or a number, not "${text}"`,
    guess === undefined ? {} : { hint: `did you mean level:${guess}?` },
  );
}

type Nullable<T> = { [K in keyof T]?: T[K] | null };

/** Formats a rule of the API as `parseWho` and `parseApproval` read it. */
export function whoText(rule: Nullable<Approval>): string {
  const approvals = typeof rule.required_approvals === "number" ? `=${rule.required_approvals}` : "";
  return `${kindText(rule)}${rule.group_inheritance_type === 1 ? inherited : ""}${approvals}`;
}

function kindText({ user_id: user, group_id: group, access_level: level }: Nullable<Who>): string {
  if (typeof user === "number") return `user:${user}`;
  if (typeof group === "number") return `group:${group}`;
  const name = Object.keys(deployLevels).find((each) => deployLevels[each] === level);
  return `level:${name ?? level ?? "none"}`;
}

/**
 * Formats rules as `--set-allow` and `--set-approval` take them: `12=user:4, 13=level:admin`. Before release 15.4 they
 * have no IDs.
 */
export function rulesText(rules: readonly unknown[]): string {
  return rules.map((rule) => ruleText(rule as Nullable<Approval & { id: number }>)).join(", ");
}

export function ruleText(rule: Nullable<Approval & { id: number }>): string {
  return `${typeof rule.id === "number" ? `${rule.id}=` : ""}${whoText(rule)}`;
}
