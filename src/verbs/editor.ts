import { DryRunStop } from "../api/api.ts";
import { exitCodes, Failure, outcomeIn, UsageError } from "../base/errors.ts";
import { quoted } from "../base/shell-words.ts";
import type { Context } from "../context.ts";
import type { RunResult } from "../host.ts";
import { readSource, utf8, withoutLineEnd } from "../transfer/source.ts";

// Runs the user's editor: for notes and settings, which are texts, and for files of a repository.

export interface Edit<C> {
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
  return editBytes(context, { name, initial: bytesOf(initial) }, (saved) => use(changedText(textIn(saved), initial)));
}

/** What was saved as text, without the line break that editors add. */
export function textIn(saved: Uint8Array): string {
  return withoutLineEnd(utf8(saved, "what the editor saved"));
}

/**
 * What an editor that was cut off, as when its terminal closes, has saved beside its file: vim's `.text.md.swp`, nano's
 * `text.md.save`, emacs's `#text.md#`. It is all that is left of what was typed.
 */
async function rescuedIn({ files }: Context, folder: string, name: string): Promise<string | undefined> {
  const [one, ...more] = (await files.list(folder)).filter((each) => each !== name);
  if (one === undefined) return undefined;
  return more.length === 0 ? `${folder}/${one}` : folder;
}

/** The text, if it is neither unchanged nor empty. */
export function changedText(text: string, initial: string): string {
  if (isBlank(text)) throw dropped("the text is empty");
  if (text === withoutLineEnd(initial)) throw dropped("the text was not changed");
  return text;
}

/**
 * Opens a file in `$VISUAL`, `$EDITOR`, or `vi` and passes what was saved to `use`, changed or not. If the
 * editor or `use` fails, a changed file is kept and the failure names it, so that no text is lost. Nothing may be left
 * to do when `use` ends: a view that works as it is read needs `editUntilValid`.
 */
export async function editBytes<T>(
  context: Context,
  { name, initial }: Edit<Uint8Array>,
  use: (bytes: Uint8Array) => Promise<T>,
): Promise<T> {
  const saved = await openEditor(context, { name, initial });
  let result: T;
  try {
    result = await use(saved.bytes);
  } catch (error) {
    throw await saved.failed(error);
  }
  await saved.remove();
  return result;
}

/** What was saved in the editor; its file stays until one of the two is called. */
export interface Saved {
  readonly bytes: Uint8Array;
  /** Its file. */
  readonly path: string;
  /** The text was used. */
  remove(): Promise<void>;
  /**
   * The text could not be used: it is kept if it was changed, and the returned error names its file. That error may
   * come back, as what fails while it is read fails again at its end.
   */
  failed(error: unknown): Promise<unknown>;
}

/** @param reopen what the editor is to open next; nothing if what was saved can be used */
export async function openEditor(
  context: Context,
  { name, initial, reopen }: Edit<Uint8Array> & { reopen?: (saved: Uint8Array) => Promise<Uint8Array | undefined> },
): Promise<Saved> {
  const folder = await context.files.temporaryFolder();
  const path = `${folder}/${name}`;
  let isChanged = false;
  let rescued: string | undefined;
  let told: unknown;
  const remove = () => context.files.removeFolder(folder);
  const failed = async (error: unknown): Promise<unknown> => {
    if (told !== undefined && error === told) return told;
    const isKept = isChanged && !(error instanceof DryRunStop || error instanceof Dropped);
    const place = rescued ?? (isKept ? path : undefined);
    if (place !== undefined) {
      told = naming(context, error, place);
      return told;
    }
    await remove();
    return error;
  };
  try {
    const editor = namedEditor(context) ?? usualEditor(path);
    let next: Uint8Array | undefined = initial;
    let bytes = initial;
    while (next !== undefined) {
      context.signal.throwIfAborted();
      await context.files.write(path, next, { mode: 0o600 });
      const ended = await runEditor(context, editor, path);
      if (ended.code !== 0) rescued = await rescuedIn(context, folder, name);
      bytes = await readSource(context, path);
      isChanged = Buffer.compare(bytes, initial) !== 0 && !isBlank(Buffer.from(bytes).toString("utf8"));
      if (ended.code !== 0) throw failedEditor(editor, ended, namedEditor(context) !== undefined);
      next = await reopen?.(bytes);
    }
    return { bytes, path, remove, failed };
  } catch (error) {
    throw await failed(error);
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

function failedEditor(editor: string, { code, stderr }: RunResult, isNamed: boolean): Failure {
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

function naming(context: Context, error: unknown, path: string): unknown {
  if (!(error instanceof Failure)) {
    context.warn(`${kept} ${path}`);
    return error;
  }
  const outcome = outcomeIn(error.details);
  return error.with({ outcomeText: `${outcome === undefined ? "" : `${outcome}; `}${kept} ${path}` });
}

/** Text files end with a line break, and editors add one. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text === "" || text.endsWith("\n") ? text : `${text}\n`);
}

function isOfWindows(path: string): boolean {
  return !path.startsWith("/");
}

/** cmd.exe supports only double quotes, which Windows paths cannot contain. */
function quotedPath(path: string): string {
  return isOfWindows(path) ? `"${path}"` : quoted(path);
}
