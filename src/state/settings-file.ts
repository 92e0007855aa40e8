import { settings as catalogue, findSetting, type Setting } from "../settings/catalogue.ts";
import { exportSettings, isLeftOut } from "./export.ts";
import type { Values } from "./kind.ts";

/**
 * The current settings as a file of `name: value` in alphabetical order, each with a comment that describes it.
 * Secrets, and addresses that contain a password, are left out; a commented line shows how to set each.
 */
export async function settingsFile(live: Values): Promise<string> {
  const { toYaml } = await import("./yaml.ts");
  const written = exportSettings(live);
  const entries = Object.entries(written).map(([name, value]) => {
    const text = toYaml({ [name]: value });
    return `${comment(findSetting(name))}${text}`;
  });
  const secrets = catalogue
    .filter(({ name }) => isLeftOut(name, live[name]))
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
