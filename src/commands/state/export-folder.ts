import { UsageError } from "../../base/errors.ts";
import { isBelow } from "../../base/group-paths.ts";
import { someOf } from "../../base/wording.ts";
import type { Context } from "../../context.ts";
import { declare } from "../../state/files/declaration.ts";
import { readStateFiles, stateFilesBelow } from "../../state/files/sources.ts";
import { Findings, originText } from "../../state/finding.ts";
import type { Section } from "../../state/kind.ts";

/** Refuses a plain export beside patterns: it would declare everything again, and the patterns nothing. */
export async function refusePatterns(context: Context, path: string): Promise<void> {
  const wide = (await sectionsIn(context, path)).find(({ block }) => block !== undefined);
  if (wide === undefined) return;
  throw new UsageError(
    `${originText(wide.origin)}: ${wide.scope.name} is a pattern, which this export would overrule`,
    {
      code: "has_patterns",
      reason: "each exported scope would be declared in full",
      nothing: "written",
      hint: "add --recursive --compact, or export to another folder",
    },
  );
}

interface Writing {
  readonly roots: readonly string[];
  readonly files: readonly { readonly path: string }[];
}

/** Refuses a compact export into a folder whose other files declare some of the same scopes. */
export async function refuseRepeated(context: Context, dir: string, { roots, files }: Writing): Promise<void> {
  const written = new Set(files.map(({ path }) => path));
  const isOn = (name: string) => roots.some((root) => isBelow(name, root) || name.toLowerCase() === root.toLowerCase());
  const others = (await sectionsIn(context, dir)).filter(
    ({ scope, origin }) => scope.at !== "instance" && !written.has(origin.file) && isOn(scope.name),
  );
  const names = [...new Set(others.map(({ origin }) => origin.file))];
  if (names.length === 0) return;
  throw new UsageError(`${someOf(names, 3)}: what is below ${roots.join(", ")} is declared there too`, {
    code: "declared_twice",
    nothing: "written",
    hint: "remove these files, or export to another folder",
  });
}

/** What the state files of a folder, or one file, declare; files with errors as far as they can be read. */
async function sectionsIn(context: Context, path: string): Promise<readonly Section[]> {
  const facts = await context.files.facts(path);
  const names = facts?.kind === "folder" ? await stateFilesBelow(context, path) : facts === undefined ? [] : [path];
  if (names.length === 0) return [];
  const findings = new Findings();
  const read = () => declare(readStateFiles(context, names, findings), findings);
  return (await context.unwatched(read)).sections;
}
