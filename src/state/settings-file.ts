import { settings as catalogue, findSetting, type Setting } from "../settings/catalogue.ts";
import { exportSettings } from "./export.ts";
import type { Values } from "./kind.ts";
import { settingsKind } from "./kinds/settings.ts";

/**
 * The settings in force as a file of `name: value` in alphabetical order, each with a comment that says what it is.
 * Secrets are left out; where the instance has some, a line to uncomment says how to give them.
 */
export async function settingsFile(live: Values): Promise<string> {
  const { toYaml } = await import("./yaml.ts");
  const written = exportSettings(live);
  const entries = Object.entries(written).map(([name, value]) => {
    const text = toYaml({ [name]: value });
    return `${comment(findSetting(name))}${text}`;
  });
  const secrets = catalogue
    .filter(({ name }) => settingsKind.fields[name]?.blind)
    .map((setting) => `${comment(setting)}# ${setting.name}: { env: ${setting.name.toUpperCase()} }\n`);
  return [...entries, ...secrets].join("\n");
}

function comment(setting: Setting | undefined): string {
  if (setting === undefined) return "";
  const { description, default: standard, unit, tier, deprecated, values } = setting;
  const notes = [
    ...(standard === undefined ? [] : [`default ${JSON.stringify(standard)}`]),
    ...(unit === undefined ? [] : [`in ${unit}`]),
    ...(values === undefined ? [] : [`one of ${values.join(", ")}`]),
    ...(tier === undefined ? [] : [tier === "premium" ? "Premium, Ultimate" : "Ultimate"]),
    ...(deprecated === undefined ? [] : ["deprecated"]),
  ];
  return `# ${description}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}\n`;
}
