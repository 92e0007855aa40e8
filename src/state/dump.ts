import type { Exported } from "./export.ts";
import type { Scope } from "./kind.ts";

/** Formats exported scopes as a complete state file. */
export async function dumpState(instance: string, exported: readonly Exported[]): Promise<string> {
  const { toYaml } = await import("./yaml.ts");
  const of = (at: Scope["at"]) =>
    exported.filter(({ scope, sections }) => scope.at === at && Object.keys(sections).length > 0);
  const named = (at: Scope["at"]) => Object.fromEntries(of(at).map(({ scope, sections }) => [scope.name, sections]));
  const content = {
    forgectl: 1,
    instance,
    ...of("instance")[0]?.sections,
    ...(of("group").length > 0 && { groups: named("group") }),
    ...(of("project").length > 0 && { projects: named("project") }),
  };
  return toYaml(content);
}

/** The path of a scope's file in a folder: `instance.yaml`, `groups/acme/mobile.yaml`. */
export function fileOf({ at, name }: Scope): string {
  if (at === "instance") return "instance.yaml";
  return `${at}s/${name
    .split("/")
    .filter((part) => part !== "" && !part.startsWith("."))
    .join("/")}.yaml`;
}
