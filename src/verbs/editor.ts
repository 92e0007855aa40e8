import { DryRunStop } from "../api/api.ts";
import { exitCodes, Failure, outcomeIn, UsageError } from "../base/errors.ts";
import { quoted } from "../base/shell-words.ts";
import type { Context } from "../context.ts";
import type { RunResult } from "../host.ts";
import { readSource, utf8, withoutLineEnd } from "../transfer/source.ts";

// Runs the user's editor: for notes and settings, which are texts, and for files of a repository.

interface Edit<C> {
  /** The file's name; its extension tells the editor the file type. */
  name: string;
  /** The file's initial content. */
  initial: C;
}

/** Whether the program runs at a terminal, where an editor can be used. */
export function canEdit(context: Context): boolean {
  return context.prompt.available && context.stdout.isTerminal;
}

/** Also true if an editor is configured without a terminal: it may be a program that needs none. */
export function canRunEditor(context: Context): boolean {
  return canEdit(context) || (!context.stdin.isTerminal && namedEditor(context) !== undefined);
}

/**
 * Opens a text in the editor and passes the result to `use`. An unchanged or empty text cancels: nothing
 * is sent.
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
 * Opens a file in `$VISUAL`, `$EDITOR`, or `vi` and passes what was saved to `use`, changed or not. If the
 * editor or `use` fails, a changed file is kept and the failure names it, so that no text is lost.
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
    keep &&= !(error instanceof DryRunStop || error instanceof Dropped || hasKept(error));
    throw keep ? naming(context, error, path) : error;
  } finally {
    if (!keep) await context.files.removeFolder(folder);
  }
}

/** The text is as it was, or empty: it need not be kept. */
class Dropped extends Failure {}

/** The error for an edit that leaves nothing to send. */
export function dropped(reason: string, details: { hint?: string } = {}): Failure {
  return new Dropped("usage", reason, { code: "not_edited", nothing: "sent", ...details });
}

/** Whether a text is empty or only white space. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}

function namedEditor({ env }: Context): string | undefined {
  return env.VISUAL || env.EDITOR || undefined;
}

function usualEditor(path: string): string {
  return isOfWindows(path) ? "notepad" : "vi";
}

/** Without a terminal the editor gets none either: stdout is for the result, and stdin may be a pipe. */
function runEditor(context: Context, editor: string, path: string): Promise<RunResult> {
  const line = `${editor} ${quotedPath(path)}`;
  if (!canEdit(context)) return context.processes.shell(line, { signal: context.signal });
  // No signal is passed: Ctrl-C in an editor belongs to the editor.
  return context.processes.shell(line, { stdio: "inherit" });
}

/** A shell's exit code for a program that is not installed. */
const notFound = 127;

function failed(editor: string, { code, stderr }: RunResult, isNamed: boolean): Failure {
  // A shell reports this if Ctrl-C ended the program that it ran.
  const exit = code === exitCodes.interrupted ? "interrupted" : "usage";
  const said = stderr.trim();
  const details = { code: "not_edited", nothing: "sent", ...(said !== "" && { reason: said }) } as const;
  if (code !== notFound) {
    return new Failure(exit, `the editor (${editor}) ended with exit code ${code}`, details);
  }
  const hint = "set VISUAL or EDITOR to an editor that is installed, such as EDITOR=nano";
  const message = isNamed
    ? `the editor (${editor}) ended with exit code ${code}: it, or a program that it runs, was not found`
    : `no editor is set, and ${editor} is not installed`;
  return new UsageError(message, { ...details, code: "no_editor", hint });
}

const kept = "your text is kept in";

/** An inner editor session in `use` has kept a newer text. */
function hasKept(error: unknown): boolean {
  return error instanceof Failure && error.details.outcomeText?.includes(kept) === true;
}

function naming(context: Context, error: unknown, path: string): unknown {
  if (!(error instanceof Failure)) {
    context.warn(`${kept} ${path}`);
    return error;
  }
  const outcome = outcomeIn(error.details);
  return error.with({ outcomeText: `${outcome === undefined ? "" : `${outcome}; `}${kept} ${path}` });
}

/** Text files end with a line break, and editors add one. */
function withLastLineEnd(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function isOfWindows(path: string): boolean {
  return !path.startsWith("/");
}

/** cmd.exe supports only double quotes, which Windows paths cannot contain. */
function quotedPath(path: string): string {
  return isOfWindows(path) ? `"${path}"` : quoted(path);
}
