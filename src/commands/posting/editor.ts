import { DryRunStop } from "../../api/types.ts";
import { exitCodes, Failure, UsageError } from "../../base/errors.ts";
import { quoted } from "../../base/line.ts";
import type { Context } from "../../context.ts";
import { readTextSource, withoutLineEnd } from "../../transfer/source.ts";

interface Edit {
  /** The file's name; its ending tells the editor what is in it. */
  name: string;
  /** What the file holds at first. */
  initial: string;
}

/** Whether there is a person at a terminal who could use an editor. */
export function canEdit(context: Context): boolean {
  return context.prompt.available && context.stdout.isTerminal;
}

/**
 * Has a person edit a text in `$VISUAL` or `$EDITOR` and hands it to `use`. A text that stays as it was, or is empty,
 * is a change of mind: nothing is done. Where the editor or `use` fails the file stays, so that no text is lost.
 */
export async function edit<T>(
  context: Context,
  { name, initial }: Edit,
  use: (text: string) => Promise<T>,
): Promise<T> {
  const editor = context.env.VISUAL || context.env.EDITOR;
  if (!editor) {
    throw new UsageError("no editor is set", { code: "no_editor", hint: "set VISUAL or EDITOR, such as EDITOR=vi" });
  }
  const folder = await context.files.temporaryFolder();
  const path = `${folder}/${name}`;
  let keep = false;
  try {
    await context.files.write(path, withLastLineEnd(initial), { mode: 0o600 });
    // No signal: Ctrl-C in an editor is the editor's.
    const { code } = await context.processes.shell(`${editor} ${quotedPath(path)}`, { stdio: "inherit" });
    const text = withoutLineEnd(await readTextSource(context, path));
    const isNew = text.trim() !== "" && text !== withoutLineEnd(initial);
    keep = isNew;
    if (code !== 0) {
      // A shell says so where the program that it ran was ended by Ctrl-C.
      const exit = code === exitCodes.interrupted ? "interrupted" : "usage";
      throw dropped(`the editor (${editor}) ended with exit code ${code}`, exit);
    }
    if (!isNew) throw dropped(text.trim() === "" ? "the text is empty" : "the text was not changed");
    const result = await use(text);
    keep = false;
    return result;
  } catch (error) {
    if (error instanceof DryRunStop) keep = false;
    throw error;
  } finally {
    if (keep) context.warn(`your text is kept in ${path}`);
    else await context.files.removeFolder(folder);
  }
}

/** Files of text have one, and editors put one there. */
function withLastLineEnd(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** cmd.exe knows only double quotes, and a path of Windows holds none. */
function quotedPath(path: string): string {
  return path.startsWith("/") ? quoted(path) : `"${path}"`;
}

function dropped(reason: string, exit: "usage" | "interrupted" = "usage"): Failure {
  return new Failure(exit, `${reason}; nothing was sent`, { code: "not_edited" });
}
