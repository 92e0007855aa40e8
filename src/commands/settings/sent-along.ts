import { updateSettings } from "../../api/endpoints/settings.ts";
import { Failure, UsageError } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { holdsMask } from "../../base/secrets.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { sentAlong } from "../../settings/dependencies.ts";
import { alongText, missingBy, missingIn } from "../../settings/missing.ts";
import { keysGivenAsParts } from "../../settings/parts.ts";
import { isSecretSetting } from "../../settings/secret-settings.ts";
import { asTaken } from "../../settings/units.ts";
import { type Present, presentSettings } from "./present.ts";

type Values = Readonly<Record<string, unknown>>;

export interface Sent extends Sending {
  /** The values; of a hash, with its other keys. */
  readonly whole: Values;
}

interface Sending {
  /** The values, and those that must be sent with them. */
  readonly sent: Values;
  /** Throws if another has changed what is sent along. */
  afterWait(): Promise<void>;
}

/**
 * Instances require some settings in the same request, so the current values of required ones are sent too; and they
 * replace a hash by what is sent, so its other keys are (settings-hash-replaced).
 */
export function withRequired(context: Context, values: Values, { current, unsure }: Present): Sent {
  const others = sentAlong({ values, current });
  const hashes = completed(values, current);
  const names = [...Object.keys(others), ...Object.keys(hashes)];
  const whole = { ...values, ...hashes };
  if (names.length === 0) return { whole, sent: whole, afterWait: async () => undefined };
  const open = names.filter((name) => unsure.includes(name));
  if (open.length > 0) throw stale(open, "may have been changed a moment ago");
  if (Object.keys(others).length > 0)
    context.notice(`sent along as they were read, since they are required: ${Object.keys(others).join(", ")}`);
  const kept = Object.entries(hashes).flatMap(([name, all]) =>
    keysBeside(all, values[name]).map((key) => `${name}.${key}`),
  );
  if (kept.length > 0)
    context.notice(`sent along as they were read, since an instance replaces the whole: ${kept.join(", ")}`);
  const afterWait = async () => {
    const now = await presentSettings(context);
    const changed = names.filter((name) => now.unsure.includes(name) || !isSame(name, current, now.current));
    if (changed.length > 0) throw stale(changed, "changed while the request had to wait");
  };
  return { whole, sent: { ...whole, ...others }, afterWait };
}

/**
 * Sends settings; once more with those that the refusal names as missing, as they are read then. After another wait
 * these may be outdated, and the refusal stands.
 */
export async function sendSettings(context: Context, { sent, afterWait }: Sending): Promise<Values> {
  try {
    return await context.api.call(updateSettings, bySecrecy(sent), { afterWait });
  } catch (error) {
    if (missingIn(error).length === 0) throw error;
    const now = await presentSettings(context).catch(() => undefined);
    const missing = now && missingBy(error, sent, now.current);
    if (missing === undefined || Object.keys(missing).some((name) => now?.unsure.includes(name))) throw error;
    context.notice(alongText(missing));
    const whole = { ...sent, ...missing };
    return await context.api.call(updateSettings, bySecrecy(whole), { afterWait: () => Promise.reject(error) });
  }
}

/** The hashes of which not all present keys are given, with the others. */
function completed(values: Values, current: Values): Values {
  const hashes = Object.entries(values).flatMap(([name, value]): [string, Values][] => {
    const held = current[name];
    const missing = keysBeside(held, value);
    if (missing.length === 0 || !isObject(held) || !isObject(value)) return [];
    const hidden = missing.filter((key) => holdsMask(held[key]));
    if (hidden.length > 0) throw masked(name, hidden);
    // An instance may store the object after them.
    const parts = Object.entries(keysGivenAsParts(name, values)).filter(([key]) => Object.hasOwn(held, key));
    return [[name, { ...held, ...Object.fromEntries(parts), ...value }]];
  });
  return Object.fromEntries(hashes);
}

/** The keys of one hash that the other does not have. */
function keysBeside(all: unknown, given: unknown): string[] {
  if (!isObject(all) || !isObject(given)) return [];
  return Object.keys(all).filter((key) => !Object.hasOwn(given, key));
}

function masked(name: string, keys: readonly string[]): UsageError {
  return new UsageError(`${name}: ${keys.join(", ")} would be lost`, {
    reason: "an instance replaces the whole, and shows this part masked",
    nothing: "sent",
    hint: "give it too",
  });
}

function stale(names: readonly string[], how: string): Failure {
  return new Failure("conflict", `${names.join(", ")} must be sent along, and ${how}`, {
    code: "stale",
    nothing: "sent",
    hint: `name it too, or wait for a minute: forgectl ${commandLine(["settings", "get", ...names])}`,
  });
}

/** Whether a setting is as it was before. */
export function isSame(name: string, before: Values, after: Values): boolean {
  return JSON.stringify(before[name] ?? null) === JSON.stringify(after[name] ?? null);
}

/** The values as a request takes them, secrets apart. */
function bySecrecy(values: Values): { settings: Values; secrets: Values } {
  const entries = Object.entries(values).map(([name, value]) => [name, asTaken(name, value)] as const);
  return {
    settings: Object.fromEntries(entries.filter(([name]) => !isSecretSetting(name))),
    secrets: Object.fromEntries(entries.filter(([name]) => isSecretSetting(name))),
  };
}
