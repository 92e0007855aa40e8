import { settings as catalogue, findSetting, type Setting } from "../../settings/catalogue.ts";
import type { Values } from "../../state/kind.ts";
import { exportSettings, isLeftOut, undocumentedIn } from "../../state/kinds/settings-form.ts";
import { Remark } from "../../state/yaml/yaml-comment.ts";

/**
 * The current settings as a file of `name: value` in alphabetical order, each with a comment that describes it.
 * Secrets, and addresses that contain a password, are left out; a commented line shows how to set each.
 */
export async function settingsFile(live: Values): Promise<string> {
  const { toStateYaml } = await import("../../state/yaml/yaml.ts");
  const written = Object.entries(exportSettings(live));
  const entries = written.flatMap(([name, value]) => {
    if (value instanceof Remark || isLeftOut(name, live[name])) return [];
    return [`${comment(findSetting(name))}${toStateYaml({ [name]: value })}`];
  });
  const others = undocumentedIn(live).filter((name) => isLeftOut(name, live[name]));
  const secrets = [...catalogue.map(({ name }) => name).filter((name) => isLeftOut(name, live[name])), ...others].map(
    (name) => `${comment(findSetting(name))}# ${name}: { env: ${name.toUpperCase()} }\n`,
  );
  return [...entries, ...secrets].join("\n");
}

function comment(setting: Setting | undefined): string {
  if (setting === undefined) return "# returned by the instance, not in the API documents\n";
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
