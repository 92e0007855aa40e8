import type { Scope } from "../kind.ts";
import { toCommentedYaml } from "../yaml/yaml-comment.ts";
import type { Exported } from "./export.ts";

/** Formats exported scopes as a complete state file; the remarks are comments before it. */
export async function dumpState(
  instance: string,
  exported: readonly Exported[],
  remarks: readonly string[] = [],
): Promise<string> {
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
  return `${remarks.map((each) => `# ${each}\n`).join("")}${await toCommentedYaml(content)}`;
}

/** The path of a scope's file in a folder: `instance.yaml`, `groups/acme/mobile.yaml`. No two scopes share one. */
export function fileOf({ at, name }: Scope): string {
  return at === "instance" ? "instance.yaml" : `${at}s/${name.split("/").map(fileName).join("/")}.yaml`;
}

/**
 * Names with a leading dot would be passed over when the folder is read, and a folder may not be called like a file. No
 * path on an instance contains a percent sign.
 */
function fileName(part: string): string {
  const visible = part.startsWith(".") ? `%2E${part.slice(1)}` : part;
  return visible.replace(/\.(ya?ml|json)$/i, "%2E$1");
}
