import { asText, isHash } from "../../server/nested.ts";
import type { FieldErrors } from "../../server/problem.ts";
import { isPattern } from "../hooks/branches.ts";
import type { Setting } from "./definition.ts";

/** A validated value to store, or the server's error messages. */
type Checked = { readonly value: unknown } | { readonly errors: readonly string[] | FieldErrors };

/** Converts a value, JSON or text, to the setting's type, and checks its bounds and allowed values. */
export function checkSetting(setting: Setting, sent: unknown): Checked {
  if (sent === null && setting.kind !== "boolean") return empty(setting);
  switch (setting.kind) {
    case "boolean":
      return checkBoolean(sent);
    case "integer":
    case "number":
      return sent === "" ? empty(setting) : checkNumber(setting, sent);
    case "string":
      return checkText(setting, sent);
    case "strings":
      return checkTexts(setting, sent);
    case "hash":
      return checkHash(setting, sent);
  }
}

/** An empty value: valid if the setting may have no value. */
function empty(setting: Setting): Checked {
  if (setting.kind === "strings") return { value: [] };
  if (setting.kind === "string" && (setting.words === undefined || setting.shownEmpty !== undefined))
    return { value: null };
  return setting.initial === null ? { value: null } : failure("can't be blank");
}

function failure(...errors: readonly string[]): Checked {
  return { errors };
}

function checkBoolean(sent: unknown): Checked {
  const word = asText(sent).toLowerCase();
  if (sent === true || word === "true" || word === "1") return { value: true };
  if (sent === false || word === "false" || word === "0") return { value: false };
  return failure("must be a boolean value");
}

function checkNumber(setting: Setting, sent: unknown): Checked {
  const number = typeof sent === "number" ? sent : toNumber(sent);
  if (!Number.isFinite(number)) return failure("is not a number");
  if (setting.kind === "integer" && !Number.isInteger(number)) return failure("must be an integer");
  if (number < (setting.min ?? number)) return failure(`must be greater than or equal to ${setting.min}`);
  if (number > (setting.max ?? number)) return failure(`must be less than or equal to ${setting.max}`);
  return { value: number };
}

function toNumber(sent: unknown): number {
  return typeof sent === "string" && /^-?\d+(\.\d+)?$/.test(sent.trim()) ? Number(sent) : Number.NaN;
}

function checkText(setting: Setting, sent: unknown): Checked {
  if (typeof sent === "object" || sent === undefined) return failure("is invalid");
  const value = String(sent);
  if (setting.words !== undefined && !setting.words.includes(value)) return failure("is not included in the list");
  if (value !== "" && setting.schemes !== undefined && !setting.schemes.some((scheme) => value.startsWith(scheme))) {
    return failure(
      `is blocked: Only allowed schemes are ${setting.schemes.map((s) => s.replace("://", "")).join(", ")}`,
    );
  }
  if (setting.name === "email_restrictions" && !isPattern(value)) return failure("not valid RE2 syntax");
  return { value };
}

/** A form may also send an array as one text separated by commas or line feeds. */
function checkTexts(setting: Setting, sent: unknown): Checked {
  const parts = typeof sent === "string" ? sent.split(/[,\n]/) : sent;
  if (!Array.isArray(parts)) return failure("is invalid");
  if (parts.some((part) => typeof part === "object")) return failure("is invalid");
  const value = parts.map((part) => String(part).trim()).filter((part) => part !== "");
  const unknown = value.find((part) => setting.words !== undefined && !setting.words.includes(part));
  return unknown === undefined ? { value } : failure(`'${unknown}' is not included in the list`);
}

function checkHash(setting: Setting, sent: unknown): Checked {
  let value = sent;
  if (typeof sent === "string") {
    try {
      value = JSON.parse(sent);
    } catch {
      return failure("must be a valid json schema");
    }
  }
  if (!isHash(value)) return failure("must be a valid json schema");
  if (setting.name === "repository_storages_weighted") return checkWeights(value);
  if (setting.name === "default_branch_protection_defaults") return checkProtection(value);
  return { value: { ...value } };
}

/** A map of storage name to a weight from 0 to 100. Errors nest under the name of the storage. */
function checkWeights(sent: Readonly<Record<string, unknown>>): Checked {
  const value: Record<string, number> = {};
  const errors: Record<string, readonly string[]> = {};
  for (const [storage, weight] of Object.entries(sent)) {
    const number = typeof weight === "number" ? weight : toNumber(weight);
    if (!Number.isInteger(number) || number < 0 || number > 100)
      errors[storage] = ["must be an integer between 0 and 100"];
    else value[storage] = number;
  }
  return Object.keys(errors).length > 0 ? { errors } : { value };
}

/** Levels that may push to and merge into a protected branch: none, developers, maintainers, administrators. */
const protectingLevels: readonly number[] = [0, 30, 40, 60];

/** The second is not documented, and part of what real instances write for a level of the old setting. */
const protectingFlags: readonly string[] = ["allow_force_push", "developer_can_initial_push"];

/** The parts of a branch protection, as JSON or as texts of a form; missing parts keep their values. */
function checkProtection(sent: Readonly<Record<string, unknown>>): Checked {
  const value: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(sent)) {
    const part = protectingFlags.includes(name) ? checkBoolean(given) : checkLevels(name, given);
    if ("errors" in part) return failure("must be a valid json schema");
    value[name] = part.value;
  }
  return { value };
}

function checkLevels(name: string, given: unknown): Checked {
  if (name !== "allowed_to_push" && name !== "allowed_to_merge") return failure("is invalid");
  if (!Array.isArray(given)) return failure("is invalid");
  const levels = given.map((each: unknown) =>
    isHash(each) ? Number(asText(each.access_level) || Number.NaN) : Number.NaN,
  );
  if (!levels.every((level) => protectingLevels.includes(level))) return failure("is invalid");
  return { value: levels.map((access_level) => ({ access_level })) };
}
