import { entity, integer, json, nullable, string, uncut } from "../../api/field.ts";
import { type PlaceKind, readPlace } from "../../api/place.ts";
import { Failure, missing, UsageError } from "../../base/errors.ts";
import { isId } from "../../base/group-paths.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { explain } from "../../state/files/explain.ts";
import type { Scope, Section } from "../../state/kind.ts";
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
    "pattern, and the values that were overruled. Offline for a path, unless the files name some by their IDs: these " +
    "may be of the same project or group, so the path is looked up, as an ID is. What the files declare under a path that " +
    "it had before is not shown.",
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
    const { scope, also } = await scopeOf(context, at, typed, hasIds(chosen, at));
    const rows = explain(chosen, scope, [scope.name, ...also]);
    if (rows.length === 0) context.notice(`the files declare nothing for the ${at} ${scope.name}`);
    return { rows, columns: ["path", "value", "file", "line", "pattern", "status"] };
  },
});

/** Whether the files name a project or group by its ID. */
function hasIds(sections: readonly Section[], at: PlaceKind): boolean {
  return sections.some(({ scope, block }) => block === undefined && scope.at === at && isId(scope.name));
}

/** The scope by its path, and by its ID if that was typed, or if the files have IDs of which one may be its own. */
async function scopeOf(
  context: Context,
  at: PlaceKind,
  typed: string,
  isByIdToo: boolean,
): Promise<{ scope: Scope; also: string[] }> {
  if (isId(typed)) {
    const { path } = await readPlace(context.api, at, typed);
    return { scope: { at, name: path, id: Number(typed) }, also: [typed] };
  }
  const scope = { at, name: typed };
  if (!isByIdToo) return { scope, also: [] };
  try {
    const { id, path } = await readPlace(context.api, at, typed);
    const isSame = path.toLowerCase() === typed.toLowerCase();
    return isSame && id !== undefined ? { scope: { ...scope, id }, also: [String(id)] } : { scope, also: [] };
  } catch (error) {
    if (!(error instanceof Failure) || error.exit === "interrupted") throw error;
    context.warn(
      `${typed} could not be looked up (${error.message}): what the files declare by an ID is not shown, even if it ` +
        `is that of this ${at}`,
    );
    return { scope, also: [] };
  }
}
