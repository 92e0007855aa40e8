import { DryRunStop } from "../api/types.ts";
import type { Context } from "../context.ts";
import { Failure, UsageError } from "../errors.ts";

export interface Edit {
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
 * is a change of mind: nothing is done. Where `use` fails the file stays, so that no text is lost.
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
    const text = await edited(context, editor, path);
    if (text.trim() === "") throw unchanged("the text is empty");
    if (text === withoutLastLineEnd(initial)) throw unchanged("the text was not changed");
    try {
      return await use(text);
    } catch (error) {
      keep = !(error instanceof DryRunStop);
      throw error;
    }
  } finally {
    if (keep) context.warn(`your text is kept in ${path}`);
    else await context.files.removeFolder(folder);
  }
}

async function edited(context: Context, editor: string, path: string): Promise<string> {
  const { code } = await context.processes.shell(`${editor} ${quoted(path)}`, {
    stdio: "inherit",
    signal: context.signal,
  });
  if (code !== 0) throw unchanged(`the editor (${editor}) ended with exit code ${code}`);
  const bytes = await context.files.read(path);
  try {
    return withoutLastLineEnd(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new UsageError("what the editor saved is not text in UTF-8");
  }
}

/** Files of text have one, and editors put it there. */
function withLastLineEnd(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function withoutLastLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/** For sh in single quotes; cmd.exe knows only double ones, and a path of Windows holds none. */
function quoted(path: string): string {
  return path.startsWith("/") ? `'${path.replaceAll("'", `'\\''`)}'` : `"${path}"`;
}

function unchanged(reason: string): Failure {
  return new Failure("interrupted", `${reason}; nothing was sent`, { code: "not_edited" });
}
