import { getSettings, updateSettings } from "../../api/endpoints/settings.ts";
import { isObject } from "../../base/is-object.ts";
import { ownValue } from "../../base/own-value.ts";
import { settings as catalogue, type Setting } from "../../settings/catalogue.ts";
import { changedAlong } from "../../settings/changed-along.ts";
import { isComputed } from "../../settings/computed.ts";
import { canBeSent, companionsOf } from "../../settings/dependencies.ts";
import { effectsOf, lastingIn } from "../../settings/lasting.ts";
import { lockoutsOf } from "../../settings/lockout.ts";
import { alongText, missingBy } from "../../settings/missing.ts";
import { replacedBy } from "../../settings/other-names.ts";
import { keysGivenAsParts } from "../../settings/parts.ts";
import { isSecretSetting } from "../../settings/secret-settings.ts";
import { asTaken, wordForEmpty } from "../../settings/units.ts";
import { withCurrentKeys } from "../fields/normal.ts";
import type { Change, Declared, Form, Kind, StateField, StateFields, Values } from "../kind.ts";
import type { Step } from "../step.ts";
import { readOnly } from "./read-only.ts";

const domainLists = new Set(["domain_allowlist", "domain_denylist", "asset_proxy_allowlist", "asset_proxy_whitelist"]);
const addressTexts = new Set(["globally_allowed_ips", "replica_node_allowed_ips"]);

/** Raised with each change of the asset proxy, so that all texts are rendered again (settings-changed-along). */
const counters = new Set(["local_markdown_version"]);

/** Settings that can invalidate the caller's own token. */
const certain: Readonly<Record<string, string>> = {
  disable_personal_access_tokens: "the token of this run would no longer be accepted",
  admin_mode: "the token of this run may lose its administrative rights",
};

const fields: StateFields = Object.fromEntries(catalogue.map((setting) => [setting.name, fieldOf(setting)]));

/** The instance's settings (`3-settings-api: Resources and their fields`). */
export const settingsKind: Kind = {
  name: "settings",
  at: "instance",
  form: "record",
  summary: "The settings of the instance",
  fields: { ...fields, ...readOnly("id", "created_at", "updated_at") },
  keys: [],
  read: { endpoint: getSettings },
  cached: { version: "updated_at", made: "created_at", command: ["settings", "get"] },
  removal: "never",
  fieldOf: settingField,
  showsAll: true,
  takes: replacedBy,
  changedAlong: (names, before, answered) => {
    const others = Object.entries(before).filter(([name]) => !counters.has(name));
    return changedAlong(names, Object.fromEntries(others), answered);
  },
  isComputed,
  sentAlong: ({ desired, live, write }, isPlanned) => [
    ...required({ desired, live, write }, isPlanned),
    // Only what a rollback restores has both.
    ...replacedBy(write).filter((name) => !write.includes(name) && Object.hasOwn(desired?.values ?? {}, name)),
  ],
  steps: (change) => {
    // In one request with the setting that it replaces, an instance would not keep it.
    const last = replacedBy(change.write).filter((name) => change.write.includes(name));
    const first = change.write.filter((name) => !last.includes(name));
    return [first, last].filter((names) => names.length > 0).map((names) => request(change, names));
  },
  besides: (change) => {
    const lasting = lastingIn(changesOf(change), change.live?.values ?? {});
    return lasting.length === 0 ? undefined : `${lasting.map(({ name }) => name).join(", ")}: ${effectsOf(lasting)}`;
  },
  risky: riskyOf,
  lockout: (change) => {
    const { desired } = change;
    const risky = riskyOf(change);
    if (risky.length === 0) return undefined;
    const sure = risky.find((name) => ownValue(certain, name) !== undefined && desired?.values[name] === true);
    return sure === undefined
      ? { reason: `${risky.join(", ")} can lock users out`, certain: false }
      : { reason: ownValue(certain, sure) ?? "", certain: true };
  },
};

type Written = Pick<Change, "desired" | "live" | "write">;

function request({ desired, live }: Written, names: readonly string[]): Step {
  const values = live?.values ?? {};
  const isSent = (name: string) => Object.hasOwn(desired?.values ?? {}, name) || canBeSent(name, values);
  return requestOf(Object.fromEntries(names.filter(isSent).map((name) => [name, written(name, desired, values)])));
}

function requestOf(sent: Values): Step {
  const entries = Object.entries(sent);
  const secret = ([name]: [string, unknown]) => settingField(name).writeOnly === true;
  return {
    endpoint: updateSettings,
    input: {
      settings: Object.fromEntries(entries.filter((entry) => !secret(entry))),
      secrets: Object.fromEntries(entries.filter(secret)),
    },
    completed: (refusal, live) => {
      const missing = missingBy(refusal, sent, live);
      if (missing === undefined) return undefined;
      const along = Object.keys(missing).map((name) => [name, written(name, undefined, live)] as const);
      return { step: requestOf({ ...sent, ...Object.fromEntries(along) }), text: alongText(missing) };
    },
  };
}

/** The written settings that can lock users out. */
function riskyOf(change: Written): string[] {
  return lockoutsOf(changesOf(change), change.live?.values ?? {});
}

/** The values that a change writes, without what is sent along, which is unchanged. */
function changesOf({ desired, write }: Written): Values {
  const changed = write.filter((name) => Object.hasOwn(desired?.values ?? {}, name));
  return Object.fromEntries(changed.map((name) => [name, desired?.values[name]]));
}

/** An undocumented setting is compared and sent unchanged, unless its name is that of a secret. */
export function settingField(name: string): StateField {
  const none = wordForEmpty(name);
  const other: StateField = { form: listFormOf(name) ?? "json", ...(none !== undefined && { none }) };
  return ownValue(fields, name) ?? (isSecretSetting(name) ? { form: "text", writeOnly: true, secret: true } : other);
}

/** Lists that instances store in an order, or with separators, of their own: those of IDs, and lists as text. */
function listFormOf(name: string): Form | undefined {
  if (/_(?:ids|users_alertlist)$/.test(name)) return "names";
  return name.endsWith("_raw") ? "addresses" : undefined;
}

function fieldOf(setting: Setting): StateField {
  const secret = isSecretSetting(setting.name);
  return {
    form: formOf(setting),
    description: setting.description,
    ...(secret && { writeOnly: true, secret: true }),
    ...(counters.has(setting.name) && { counter: true }),
    ...(setting.values !== undefined && { values: setting.values }),
    ...((setting.type === "integer" || setting.type === "number") && { min: setting.min ?? 0 }),
    ...(setting.max !== undefined && { max: setting.max }),
  };
}

function formOf({ name, type, items, shownAs }: Setting): Form {
  if (shownAs !== undefined) return "json";
  if (domainLists.has(name)) return "domains";
  if (addressTexts.has(name)) return "addresses";
  if (type === "array") return items === "object" ? "list" : "names";
  if (type === "object") return "hash";
  return type === "string" ? "text" : type;
}

/** Unchanged settings that an enabled setting requires: instances need them in the same request, even if empty. */
function required(change: Written, isPlanned = (_: string) => false): string[] {
  const { desired, live, write } = change;
  const isDeclared = (name: string) => Object.hasOwn(desired?.values ?? {}, name);
  const isKnown = (name: string) => isPlanned(name) || canBeSent(name, live?.values ?? {});
  return companionsOf(changesOf(change))
    .filter((name) => !write.includes(name))
    .filter((name) => isDeclared(name) || isKnown(name));
}

/** A hash is sent as a whole. */
function written(name: string, desired: Declared | undefined, live: Values): unknown {
  const isDeclared = desired !== undefined && Object.hasOwn(desired.values, name);
  const value = isDeclared ? desired.values[name] : live[name];
  const isPart = settingField(name).form === "hash" && !(isDeclared && desired.whole);
  return isPart ? withCurrentKeys(value, withParts(name, desired, live)) : asTaken(name, value);
}

/** The live object, with what is declared for its keys as settings: an instance may store it after them. */
function withParts(name: string, desired: Declared | undefined, live: Values): unknown {
  const held = live[name];
  if (!isObject(held)) return held;
  const given = Object.entries(keysGivenAsParts(name, desired?.values ?? {}));
  return { ...held, ...Object.fromEntries(given.filter(([key]) => Object.hasOwn(held, key))) };
}
