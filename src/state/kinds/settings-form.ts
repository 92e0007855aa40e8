import { ownValue } from "../../base/own-value.ts";
import { isMasked } from "../../base/secrets.ts";
import { settings as catalogue, findSetting } from "../../settings/catalogue.ts";
import { isOnlyShown } from "../../settings/computed.ts";
import { nameInUse, otherNameOf, predecessors, saysTheSame } from "../../settings/other-names.ts";
import { partIn } from "../../settings/parts.ts";
import { hasOwnUnit } from "../../settings/units.ts";
import { recordFields, validateSettings } from "../../settings/validate.ts";
import { environmentReference, exportValue, isNothing } from "../fields/export-value.ts";
import { fieldSchema, type Schema } from "../fields/field-schema.ts";
import { bare, readReference, refusePlainSecret } from "../fields/field-value.ts";
import { canonical, isHidden } from "../fields/normal.ts";
import { holdsCredentials } from "../fields/secrecy.ts";
import { at, originOf, type Spot } from "../fields/spot.ts";
import { isAsAnswered } from "../fields/unset.ts";
import type { Origin } from "../finding.ts";
import type { StateField, Values } from "../kind.ts";
import type { Mapping } from "../yaml/tree.ts";
import { Remark } from "../yaml/yaml-comment.ts";
import { settingField, settingsKind } from "./settings.ts";

// The settings in a file. The catalogue has more rules for them than a kind's fields can say.

/** Settings are validated by the catalogue, which has more rules than a field. */
export function readSettings(tree: Mapping, places: Record<string, Origin>, spot: Spot): Values {
  const { findings, strict, file } = spot;
  const values: Record<string, unknown> = {};
  const written: Record<string, unknown> = {};
  const { entries } = tree;
  for (const [name, { value, line }] of entries) {
    const here = at(spot, name);
    places[name] = originOf(spot, { line });
    const field = settingField(name);
    const isUnknown = ownValue(settingsKind.fields, name) === undefined && !hasOwnUnit(name);
    const isText = field.form === "text" || field.form === "addresses" || isUnknown;
    const reference = isText ? readReference(value, here) : undefined;
    if (reference !== undefined) values[name] = reference;
    else if (!isAsAnswered(value, field, originOf(spot, { line }), here)) {
      values[name] = bare(value);
      // Null is what an instance answers for a value that was never set.
      const type = findSetting(name)?.type;
      if (values[name] !== null || type === undefined || type === "boolean") written[name] = values[name];
      refusePlainSecret(value, field, here, true);
    }
  }
  for (const { setting, severity, message, hint } of validateSettings(written, {
    strict,
    alone: true,
    guess: findings.guess,
  })) {
    const line = entries.get(setting)?.line ?? tree.line;
    const place = at(spot, setting).path;
    if (severity === "error") findings.error({ file, line }, place, message, hint);
    else findings.warn({ file, line }, place, message, hint);
  }
  for (const name of oneOfTwins(tree, values, spot)) delete values[name];
  warnOfParts(tree, values, spot);
  for (const name of ["id", "created_at", "updated_at"]) delete values[name];
  for (const name of Object.keys(places)) if (!Object.hasOwn(values, name)) delete places[name];
  return values;
}

/**
 * The old names among settings that are given under both names. Two values would be written in turns, so they must be
 * equal.
 */
function oneOfTwins({ entries }: Mapping, values: Values, spot: Spot): string[] {
  const others = [...entries].flatMap(([name, { line }]) => {
    const other = otherNameOf(name, (each) => entries.has(each));
    if (other === undefined) return [];
    const report = saysTheSame(values[name], values[other]) ? spot.findings.warn : spot.findings.error;
    const words = `is another name of ${other}, which is in the file too`;
    report.call(spot.findings, { file: spot.file, line }, at(spot, name).path, words, "leave it out");
    return [name];
  });
  const olds = [...entries].flatMap(([old, { line }]) => {
    const successor = nameInUse(old);
    if (findSetting(old) === undefined || successor === old || !entries.has(successor)) return [];
    const here = { file: spot.file, line };
    const isSame = findSetting(old)?.sameAs !== undefined && canonical(values[old]) === canonical(values[successor]);
    const words = `${findSetting(old)?.deprecated === undefined ? "is the old name of" : "is deprecated: it is replaced by"} ${successor}, which is in the file too`;
    if (isSame) spot.findings.warn(here, at(spot, old).path, words, "leave it out");
    else spot.findings.error(here, at(spot, old).path, words, "leave it out");
    return [old];
  });
  return [...others, ...olds];
}

/** The documents have a part of an object as a setting of its own; most instances keep one value for both. */
function warnOfParts({ entries }: Mapping, values: Values, spot: Spot): void {
  for (const [name, { line }] of entries) {
    const part = partIn(name, values);
    if (part === undefined || saysTheSame(values[name], part.value)) continue;
    const words = `is a part of ${part.object}, which says otherwise: most instances keep one of both`;
    spot.findings.warn({ file: spot.file, line }, at(spot, name).path, words, "leave one of them out");
  }
}

function isPartOfOther(name: string, live: Values): boolean {
  const part = partIn(name, live);
  return part !== undefined && saysTheSame(live[name], part.value);
}

/**
 * Every setting that the instance answers, empty ones too: first the documented ones, in alphabetical order, then the
 * others. Of two names of one setting, the one in use; no part of an object that says the same. Secrets are references.
 */
export function exportSettings(live: Values, documented = false): Values {
  const shown = catalogue.filter(({ name, type, deprecated }) => {
    if (!Object.hasOwn(live, name) || (isLeftOut(name, live[name]) && isUnset(live[name]))) return false;
    // A change of others may raise a counter, which a file would set back.
    if (settingField(name).counter || isPartOfOther(name, live)) return false;
    // A switch that was never set has no value that a file could give.
    if (type === "boolean" && live[name] === null) return false;
    const successors = [...(deprecated?.use ?? []), ownValue(predecessors, name) ?? ""];
    return !successors.some((successor) => findSetting(successor) !== undefined && successor in live);
  });
  const others = documented ? [] : undocumentedIn(live);
  return Object.fromEntries([
    ...shown.map(({ name }) => [name, exportSetting(name, live[name])] as const),
    ...(others.length > 0 ? [["", new Remark("returned by the instance, not in the API documents")] as const] : []),
    ...others.map((name) => [name, exportSetting(name, live[name])] as const),
  ]);
}

/**
 * Settings that the documents do not name, in alphabetical order; without those that the instance sets itself, and
 * those that are another name of one that it shows.
 */
export function undocumentedIn(live: Values): string[] {
  const isOther = (name: string) =>
    otherNameOf(name, (each) => Object.hasOwn(live, each)) !== undefined ||
    isPartOfOther(name, live) ||
    isOnlyShown(name, live);
  const isSet = (name: string) => recordFields.includes(name) || /_(?:at|html)$/.test(name) || isOther(name);
  const names = Object.keys(live).filter((name) => findSetting(name) === undefined && !isSet(name));
  return names.filter((name) => !(isLeftOut(name, live[name]) && isUnset(live[name]))).sort();
}

function exportSetting(name: string, value: unknown): unknown {
  const field = settingField(name);
  if (isLeftOut(name, value)) return environmentReference(name);
  if (value !== null) return exportValue(field, value);
  return empty[field.form] ?? null;
}

const empty: Partial<Record<StateField["form"], unknown>> = {
  text: "",
  addresses: "",
  names: [],
  domains: [],
  list: [],
  hash: {},
};

/** Whether a secret is not set, or is shown as a mask. */
function isUnset(value: unknown): boolean {
  return isNothing(value) || isMasked(value);
}

/** Whether a value is a secret, a masked one, or contains one: the credentials in an address. */
export function isLeftOut(name: string, value: unknown): boolean {
  return settingField(name).writeOnly === true || isHidden(settingField(name), value) || holdsCredentials(value);
}

/** Fields with their units, tiers, and defaults. */
export function settingsSchema(): Schema {
  const described = catalogue.map(({ name, description, default: standard, unit, tier, deprecated }) => {
    const notes = [
      ...(unit === undefined ? [] : [`in ${unit}`]),
      ...(tier === undefined ? [] : [tier]),
      ...(deprecated === undefined ? [] : ["deprecated"]),
    ];
    const field = ownValue(settingsKind.fields, name) ?? { form: "json" };
    return [
      name,
      {
        ...fieldSchema(field),
        description: notes.length === 0 ? description : `${description} (${notes.join(", ")})`,
        ...(standard !== undefined && { default: standard }),
      },
    ];
  });
  return { type: "object", description: settingsKind.summary, properties: Object.fromEntries(described) };
}
