import { dirname, join } from "node:path";
import { array, boolean, entity, outcome, string, uncut } from "../../api/field.ts";
import { missing, UsageError } from "../../base/errors.ts";
import { isSpecial, isStdout } from "../../base/special-file.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { exportScopes } from "../../state/export/export.ts";
import { isSealed } from "../../state/export/seal.ts";
import type { View } from "../../terminal/view.ts";
import { refuseLinks } from "../../transfer/refuse-links.ts";
import { refuseReplaced } from "../../transfer/replaced-folder.ts";
import { checkOutputFile, writeText } from "../../verbs/output-file.ts";
import { collected } from "../../verbs/row-collection.ts";
import { scopeFile } from "../../verbs/scope-names.ts";
import { refusePatterns, refuseRepeated } from "./export-folder.ts";
import { compactPages, isSamePage, plainPages } from "./export-pages.ts";
import { chooseScopes } from "./export-scopes.ts";
import { filterFlags, partial, readOnly } from "./flags.ts";

const Written = entity("StateFile", { file: uncut(), status: outcome("written, or unchanged") });

export const exportState = command({
  name: "export",
  summary: "Write the current configuration as state files",
  details:
    "Everything that apply can write, in a stable order: planning it at once shows no changes. Secrets cannot be read back and are " +
    "left out, or written as a reference. --projects-file takes one project per line; --recursive takes everything below a " +
    "group, except projects that are only shared with it, archived, or about to be deleted. With --compact, new projects " +
    "get what the patterns declare, and a folder may have patterns already. A file that was edited since its export is " +
    "not replaced without --force.",
  params: {
    settings: boolean("The settings of the instance"),
    project: array(string("", { placeholder: "id|path" }), "This project", { short: "p" }),
    group: array(string("", { placeholder: "id|path" }), "This group", { short: "g" }),
    projects_file: scopeFile("project"),
    groups_file: scopeFile("group"),
    recursive: boolean("Of each group, its subgroups and all of their projects too"),
    compact: boolean("Write what the scopes of a group have in common once, as patterns; needs --recursive"),
    only: filterFlags.only,
    documented: boolean("Leave out settings that the API documents do not name"),
    force: boolean("Replace files that were edited since their export"),
    output_file: string("Write one file here; - is stdout", {
      flag: "output-file",
      short: "O",
      placeholder: "file|-",
      completes: "file",
      writes: "whole",
    }),
    dir: string("Write one file each for the instance, groups, and projects below this folder", {
      placeholder: "folder",
      completes: "directory",
      writes: "whole",
    }),
  },
  returns: Written,
  examples: [
    { line: "state export --settings -O instance.yaml" },
    { line: "state export --settings -g acme -p acme/storefront --dir forge" },
    { line: "state export -g acme --recursive --compact -O acme.yaml", note: "the fleet on one page" },
    { line: "state export -p acme/storefront --only protected_environments -O -", note: "to stdout" },
  ],
  related: ["state plan", "settings export"],
  async run(context, input) {
    const { output_file: file, dir, force = false, compact: isCompact = false } = input;
    if (file === undefined && dir === undefined) throw missing("-O, --output-file <file|-> or --dir <folder>");
    if (file !== undefined && dir !== undefined) throw new UsageError("give only one of -O and --dir");
    if (file !== undefined && !isStdout(file)) await checkOutputFile(context, file, "-O");
    const chosen = await chooseScopes(context, input);
    const isAdded = isStdout(file) || isSpecial(file ?? "");
    if (!isAdded && !isCompact) await refusePatterns(context, file ?? dir ?? "");
    const options = { only: readOnly(input.only), documented: input.documented ?? false };
    const exported = await collected(exportScopes(context, chosen.scopes, options));
    const unreadable = exported.flatMap(({ scope, unreadable: list }) =>
      list.map(({ kind, reason }) => `${scope.name}#${kind}: ${reason}`),
    );
    for (const line of unreadable) context.warn(`left out: ${line}`);
    const fail = () => {
      if (unreadable.length === 0) return;
      throw partial(
        unreadable.length === 1 ? "one section could not be read" : `${unreadable.length} sections could not be read`,
      );
    };
    const pages = isCompact
      ? await compactPages(context, exported, { ...chosen, isOneFile: file !== undefined })
      : await plainPages(context, exported, file !== undefined);
    if (isStdout(file)) {
      const bytes = new TextEncoder().encode(pages.map(({ text }) => text).join(""));
      return {
        bytes: (async function* () {
          yield bytes;
          fail();
        })(),
        text: true,
        finishes: true,
      };
    }
    const files = pages.map(({ name, text }) => ({ path: file ?? join(dir ?? "", name), text }));
    if (dir === undefined) {
      if (!force) await refuseEdited(context, files);
      return writtenView(await writeAll(context, files, writeNamed), fail);
    }
    const rows = await inFolder(context, dir, async (own) => {
      for (const { path } of files) await refuseLinks(own, dir, dirname(path));
      if (!force) await refuseEdited(own, files);
      if (isCompact) await refuseRepeated(own, dir, { ...chosen, files });
      return writeAll(own, files, (file) => writeBelow(own, dir, file));
    });
    return writtenView(rows, fail);
  },
});

/** A file to write, and what it will hold. */
interface StateFile {
  readonly path: string;
  readonly text: string;
}

function writtenView(rows: object[], fail: () => void): View {
  return {
    rows,
    columns: ["file", "status"],
    finishes: true,
    until: async (printed) => {
      await printed;
      fail();
    },
  };
}

async function writeAll(context: Context, files: readonly StateFile[], write: Write): Promise<object[]> {
  const rows: object[] = [];
  for (const file of files) {
    const isThere = await holds(context, file.path, file.text);
    rows.push({ file: file.path, status: isThere ? "unchanged" : await write(file, context) });
  }
  return rows;
}

type Write = (file: StateFile, context: Context) => Promise<string>;

async function writeNamed({ path, text }: StateFile, context: Context): Promise<string> {
  if (path.includes("/") && !context.config.dryRun) await context.files.makeFolder(dirname(path));
  return writeText(context, path, text);
}

/** Writes into the folder that was looked at: where others may write too, a link may have its name by then. */
async function writeBelow(context: Context, dir: string, { path, text }: StateFile): Promise<string> {
  if (context.config.dryRun) return writeText(context, path, text);
  const folder = dirname(path);
  await context.files.makeFolder(folder);
  const files = await context.files.hold(folder);
  try {
    await refuseLinks({ files }, dir, folder);
    return await writeText({ ...context, files }, path, text);
  } finally {
    files.release();
  }
}

/** Does something in a folder, which is created if it is missing; what has its name meanwhile gets nothing. */
async function inFolder<T>(context: Context, dir: string, act: (own: Context) => Promise<T>): Promise<T> {
  if (context.config.dryRun) return act(context);
  await context.files.makeFolder(dir);
  const files = await context.files.hold(dir);
  try {
    const result = await act({ ...context, files });
    refuseReplaced(files, dir);
    return result;
  } finally {
    files.release();
  }
}

/** Refuses before anything is written: an edit by hand, or a comment, would be lost. */
async function refuseEdited(context: Context, files: readonly { path: string; text: string }[]): Promise<void> {
  const edited: string[] = [];
  for (const { path, text } of files) {
    const held = await replaced(context, path);
    if (held !== undefined && held !== text && !isSealed(held)) edited.push(path);
  }
  if (edited.length === 0) return;
  throw new UsageError(`${edited.join(", ")}: not as an export wrote ${edited.length === 1 ? "it" : "them"}`, {
    code: "edited",
    reason: "what was edited would be lost",
    nothing: "written",
    hint: "export to another folder and compare, or add --force",
  });
}

async function holds(context: Context, path: string, text: string): Promise<boolean> {
  const held = await replaced(context, path);
  return held !== undefined && isSamePage(held, text);
}

/** The content of a file that an export would replace; to what the shell has opened, it is added. */
async function replaced({ files }: Context, path: string): Promise<string | undefined> {
  if (isSpecial(path) || (await files.facts(path))?.kind !== "file") return undefined;
  return new TextDecoder().decode(await files.read(path));
}
