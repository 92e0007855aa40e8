import { DryRunStop } from "../api/types.ts";
import { exitCodes, Failure, UsageError } from "../base/errors.ts";
import { quoted } from "../base/line.ts";
import type { Context } from "../context.ts";
import type { RunResult } from "../host.ts";
import { readSource, utf8, withoutLineEnd } from "../transfer/source.ts";

// The one way to run an editor: for notes and settings, which are texts, and for files of a repository.

interface Edit<C> {
  /** The file's name; its ending tells the editor what is in it. */
  name: string;
  /** What the file holds at first. */
  initial: C;
}

/** Whether there is a person at a terminal who could use an editor. */
export function canEdit(context: Context): boolean {
  return context.prompt.available && context.stdout.isTerminal;
}

/** The same, or an editor was named off a terminal: a program that needs none. */
export function canRunEditor(context: Context): boolean {
  return canEdit(context) || (!context.stdin.isTerminal && namedEditor(context) !== undefined);
}

/**
 * Has a person edit a text and hands it to `use`. A text that stays as it was, or is empty, is a change of mind: nothing
 * is done.
 */
export function edit<T>(
  context: Context,
  { name, initial }: Edit<string>,
  use: (text: string) => Promise<T>,
): Promise<T> {
  const bytes = new TextEncoder().encode(withLastLineEnd(initial));
  return editBytes(context, { name, initial: bytes }, async (edited) => {
    const text = withoutLineEnd(utf8(edited, "what the editor saved"));
    if (isBlank(text)) throw dropped("the text is empty");
    if (text === withoutLineEnd(initial)) throw dropped("the text was not changed");
    return use(text);
  });
}

/**
 * Has a person edit a file in `$VISUAL`, `$EDITOR`, or `vi` and hands what was saved to `use`, changed or not. Where the
 * editor or `use` fails, a file that was changed stays, and the failure names it: no text is lost.
 */
export async function editBytes<T>(
  context: Context,
  { name, initial }: Edit<Uint8Array>,
  use: (bytes: Uint8Array) => Promise<T>,
): Promise<T> {
  const folder = await context.files.temporaryFolder();
  const path = `${folder}/${name}`;
  let keep = false;
  try {
    await context.files.write(path, initial, { mode: 0o600 });
    const editor = namedEditor(context) ?? usualEditor(path);
    const ended = await runEditor(context, editor, path);
    const bytes = await readSource(context, path);
    keep = Buffer.compare(bytes, initial) !== 0 && !isBlank(Buffer.from(bytes).toString("utf8"));
    if (ended.code !== 0) throw failed(editor, ended, namedEditor(context) !== undefined);
    const result = await use(bytes);
    keep = false;
    return result;
  } catch (error) {
    keep &&= !(error instanceof DryRunStop || hasKept(error));
    throw keep ? naming(context, error, path) : error;
  } finally {
    if (!keep) await context.files.removeFolder(folder);
  }
}

/** The refusal of what an editor was left with: there is nothing to send. */
export function dropped(reason: string, details: { hint?: string } = {}): Failure {
  return new Failure("usage", `${reason}; nothing was sent`, { code: "not_edited", ...details });
}

export function isBlank(text: string): boolean {
  return text.trim() === "";
}

function namedEditor({ env }: Context): string | undefined {
  return env.VISUAL || env.EDITOR || undefined;
}

function usualEditor(path: string): string {
  return isOfWindows(path) ? "notepad" : "vi";
}

/** Off a terminal the editor gets none either: stdout is for the result, and stdin may be another program's. */
function runEditor(context: Context, editor: string, path: string): Promise<RunResult> {
  const line = `${editor} ${quotedPath(path)}`;
  if (!canEdit(context)) return context.processes.shell(line, { signal: context.signal });
  // No signal: Ctrl-C in an editor is the editor's.
  return context.processes.shell(line, { stdio: "inherit" });
}

/** What a shell says of a program that is not installed. */
const notFound = 127;

function failed(editor: string, { code, stderr }: RunResult, isNamed: boolean): Failure {
  // A shell says so where the program that it ran was ended by Ctrl-C.
  const exit = code === exitCodes.interrupted ? "interrupted" : "usage";
  const said = stderr.trim();
  const details = { code: "not_edited", ...(said !== "" && { reason: said }) };
  if (code !== notFound) {
    return new Failure(exit, `the editor (${editor}) ended with exit code ${code}; nothing was sent`, details);
  }
  const hint = "set VISUAL or EDITOR to an editor that is installed, such as EDITOR=nano";
  const message = isNamed
    ? `the editor (${editor}) ended with exit code ${code}: it, or a program that it runs, was not found`
    : `no editor is set, and ${editor} is not installed`;
  return new UsageError(`${message}; nothing was sent`, { ...details, code: "no_editor", hint });
}

const kept = "your text is kept in";

/** An editor inside of `use` has kept a newer text. */
function hasKept(error: unknown): boolean {
  return error instanceof Failure && error.details.reason?.includes(kept) === true;
}

function naming(context: Context, error: unknown, path: string): unknown {
  if (!(error instanceof Failure)) {
    context.warn(`${kept} ${path}`);
    return error;
  }
  const { reason } = error.details;
  return error.with({ reason: `${reason === undefined ? "" : `${reason}; `}${kept} ${path}` });
}

/** Files of text have one, and editors put one there. */
function withLastLineEnd(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function isOfWindows(path: string): boolean {
  return !path.startsWith("/");
}

/** cmd.exe knows only double quotes, and a path of Windows holds none. */
function quotedPath(path: string): string {
  return isOfWindows(path) ? `"${path}"` : quoted(path);
}
