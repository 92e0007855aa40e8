import { entity, integer, json, nullable, string, uncut } from "../../api/field.ts";
import { readPlace } from "../../api/place.ts";
import { missing, UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { explain } from "../../state/files/explain.ts";
import type { Scope } from "../../state/kind.ts";
import { fileFlags, filterFlags, loadDeclaration, readOnly } from "./flags.ts";

const Explained = entity("ExplainedValue", {
  path: uncut("Section and field, or section/key of an entry"),
  value: json("As declared; secrets as their references"),
  file: uncut(),
  line: integer(),
  pattern: nullable(uncut("The pattern that it is declared for; null for the scope itself")),
  status: string("effective; overruled by a more specific declaration; or unmanaged: not declared from there on"),
});

export const explainState = command({
  name: "explain",
  summary: "Show what the files declare for one project or group, and where",
  details:
    "The sum of all patterns that match it and of what is declared for itself: each value with its file, line, and " +
    "pattern, and the values that were overruled. Offline for a path; an ID is looked up.",
  params: {
    ...fileFlags,
    project: string("This project", { placeholder: "id|path", short: "p", completes: "project" }),
    group: string("This group", { placeholder: "id|path", short: "g", completes: "group" }),
    only: filterFlags.only,
  },
  returns: Explained,
  prints: "rows",
  examples: [
    { line: "state explain -p acme/website -f forge.yaml" },
    { line: "state explain -g acme/mobile -f forge.yaml --only saml_group_links -o json" },
  ],
  related: ["state validate", "state plan"],
  async run(context, { file, project, group, only }) {
    const typed = project ?? group;
    if (typed === undefined) throw missing("-p, --project or -g, --group");
    if (project !== undefined && group !== undefined) throw new UsageError("give only one of --project and --group");
    const at = project === undefined ? "group" : "project";
    const { sections } = await loadDeclaration(context, file);
    const names = readOnly(only);
    const isWanted = ({ name, within }: { name: string; within?: string }) =>
      names === undefined || names.includes(name) || (within !== undefined && names.includes(within));
    const chosen = sections.filter(({ kind }) => isWanted(kind));
    const { scope, also } = await scopeOf(context, at, typed);
    const rows = explain(chosen, scope, [scope.name, ...also]);
    if (rows.length === 0) context.notice(`the files declare nothing for the ${at} ${scope.name}`);
    return { rows, columns: ["path", "value", "file", "line", "pattern", "status"] };
  },
});

/** The scope by its path, and the ID if that was typed. */
async function scopeOf(
  context: Context,
  at: "group" | "project",
  typed: string,
): Promise<{ scope: Scope; also: string[] }> {
  if (!/^\d+$/.test(typed)) return { scope: { at, name: typed }, also: [] };
  const { path } = await readPlace(context.api, at, typed);
  return { scope: { at, name: path, id: Number(typed) }, also: [typed] };
}
