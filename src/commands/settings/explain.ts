import { array, boolean, entity, json, number, object, required, string } from "../../api/field.ts";
import { Failure } from "../../base/errors.ts";
import { command } from "../../declare/command.ts";
import { findSetting, nearestSetting, type Setting } from "../../settings/catalogue.ts";
import type { SettingProperty } from "../../settings/setting.ts";
import { searchLine } from "./search-line.ts";

/** Names or allowed values, shown as text. */
const listed = { worded: (items: readonly unknown[]) => items.join(", ") };

const keys = {
  worded: (items: readonly unknown[]) =>
    (items as SettingProperty[])
      .map(({ name, type, items: of }) => `${name} (${of ? `${type} of ${of}s` : type})`)
      .join(", "),
};

const SettingExplained = entity("Setting", {
  name: string(),
  description: string(),
  type: string(),
  items: string("Type of an array's items"),
  type_inferred: boolean("The documents give no type: it is inferred from the name"),
  default: json(),
  min: number(),
  max: number(),
  unit: string(),
  values: array(string(), "The allowed values, or items of an array", listed),
  schemes: array(string(), "The allowed URI schemes", listed),
  format: string(),
  properties: array(
    object({ name: string(), type: string(), items: string() }),
    "The documented keys of an object",
    keys,
  ),
  nullable: boolean(),
  requires: array(string(), "Settings that must be given if this is enabled", listed),
  required_by: string("Setting that requires this one if enabled"),
  conditional: string("Condition that the documents do not state precisely"),
  applies_when: string("Condition under which it has an effect"),
  tier: string(),
  deprecated: boolean(),
  deprecated_since: string(),
  removal: string(),
  use: array(string(), "What replaces it", listed),
  secret: boolean("Never shown"),
  write_only: boolean("Accepted, but never returned"),
  lockout: boolean("A wrong value can lock users out: setting it asks first"),
});

export const explain = command({
  name: "explain",
  summary: "Explain a setting, offline",
  details:
    "Shows what the API documents say: type, default, bounds, requirements, tier, deprecation. Nothing is sent, " +
    "and no instance is needed.",
  args: { name: required(string("Setting", { completes: "setting" })) },
  returns: SettingExplained,
  prints: "record",
  examples: [
    { line: "settings explain wiki_page_max_content_bytes" },
    { line: "settings explain chatapp_enabled -o json --jq '.requires'", note: "settings that it requires" },
  ],
  related: ["settings get", "settings set"],
  async run(_context, { name }) {
    const setting = findSetting(name);
    if (setting === undefined) throw unknown(name);
    const record = explained(setting);
    return {
      record,
      columns: Object.entries(record).flatMap(([field, value]) => (applies(field, value) ? field : [])),
    };
  },
});

/** People need not read that a setting is not deprecated, not secret, and so on; programs have it in JSON. */
function applies(field: string, value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && (value !== false || field === "default");
}

function unknown(name: string): Failure {
  const near = nearestSetting(name);
  return new Failure("notFound", `the API documents have no setting "${name}"`, {
    hint: near === undefined ? searchLine(name) : `did you mean ${near}?`,
  });
}

/** Unknown or inapplicable fields are left out. */
function explained(setting: Setting): object {
  const { name, description, type, items, unit, min, max, values, schemes, format, properties, requires } = setting;
  const { appliesWhen, deprecated } = setting;
  return {
    name,
    description,
    type,
    items: items ?? setting.entries,
    type_inferred: setting.typeInferred,
    default: setting.default,
    min,
    max,
    unit,
    values,
    schemes,
    format,
    properties,
    nullable: setting.nullable,
    requires,
    required_by: setting.requiredBy,
    conditional: setting.conditional,
    applies_when: appliesWhen && `${appliesWhen.setting} is ${appliesWhen.is}`,
    tier: setting.tier === "premium" ? "premium, ultimate" : setting.tier,
    deprecated: deprecated !== undefined,
    deprecated_since: deprecated?.since,
    removal: deprecated?.removal,
    use: deprecated?.use,
    secret: setting.secret ?? false,
    write_only: setting.writeOnly,
    lockout: setting.lockout ?? false,
  };
}
