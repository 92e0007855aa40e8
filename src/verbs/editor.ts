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

/** A problem in a text that was saved. */
export interface Problem {
  /** From 1. */
  line: number;
  message: string;
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

/**
 * As `edit`, for a text that can have problems: the editor reopens with them at the top, as comments, until there are
 * none. A text that is saved again as it was is an error, and so is the twentieth with problems: an editor that is a
 * script would be reopened without end.
 */
export function editUntilValid<T>(
  context: Context,
  { name, initial, check }: Edit<string> & { check: (text: string) => Promise<readonly Problem[]> },
  use: (text: string) => Promise<T>,
): Promise<T> {
  let rejected: string | undefined;
  let tries = 0;
  const bodyIn = (saved: Uint8Array) => changedText(textIn(saved).replace(shownProblems, ""), initial);
  const reopen = async (saved: Uint8Array) => {
    const text = bodyIn(saved);
    const problems = await check(text);
    if (problems.length === 0) return undefined;
    tries += 1;
    if (text === rejected || tries === mostTries) throw invalid(problems);
    rejected = text;
    return bytesOf(`${header(problems)}${text}`);
  };
  return editBytes(context, { name, initial: bytesOf(initial), reopen }, (saved) => use(bodyIn(saved)));
}

function textIn(saved: Uint8Array): string {
  return withoutLineEnd(utf8(saved, "what the editor saved"));
}

/** The text, if it is neither unchanged nor empty. */
function changedText(text: string, initial: string): string {
  if (isBlank(text)) throw dropped("the text is empty");
  if (text === withoutLineEnd(initial)) throw dropped("the text was not changed");
  return text;
}

const shownProblems = /^# Not applied:\r?\n(?:# (?:line|and) .*\r?\n)*/;

const mostTries = 20;

/** Enough to work on; the rest is shown when these are mended. */
const mostProblems = 20;

/** The problems as comments, with the lines of the text below them. */
function header(problems: readonly Problem[]): string {
  const shown = problems.slice(0, mostProblems);
  const more = problems.length - shown.length;
  const rest = more > 0 ? [`# and ${more} more`] : [];
  const above = 1 + shown.length + rest.length;
  const lines = shown.map(({ line, message }) => `# line ${line + above}: ${message}`);
  return ["# Not applied:", ...lines, ...rest, ""].join("\n");
}

function invalid(problems: readonly Problem[]): Failure {
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  return new UsageError("the text that was saved has problems", {
    code: "not_edited",
    nothing: "sent",
    ...(first && { reason: `line ${first.line}: ${first.message}${more}` }),
  });
}

/**
 * Opens a file in `$VISUAL`, `$EDITOR`, or `vi` and passes what was saved to `use`, changed or not. If the
 * editor or `use` fails, a changed file is kept and the failure names it, so that no text is lost.
 *
 * @param reopen what the editor is to open next; nothing if what was saved can be used
 */
export async function editBytes<T>(
  context: Context,
  { name, initial, reopen }: Edit<Uint8Array> & { reopen?: (saved: Uint8Array) => Promise<Uint8Array | undefined> },
  use: (bytes: Uint8Array) => Promise<T>,
): Promise<T> {
  const folder = await context.files.temporaryFolder();
  const path = `${folder}/${name}`;
  let keep = false;
  try {
    const editor = namedEditor(context) ?? usualEditor(path);
    let next: Uint8Array | undefined = initial;
    let saved = initial;
    while (next !== undefined) {
      context.signal.throwIfAborted();
      await context.files.write(path, next, { mode: 0o600 });
      const ended = await runEditor(context, editor, path);
      saved = await readSource(context, path);
      keep = Buffer.compare(saved, initial) !== 0 && !isBlank(Buffer.from(saved).toString("utf8"));
      if (ended.code !== 0) throw failed(editor, ended, namedEditor(context) !== undefined);
      next = await reopen?.(saved);
    }
    const result = await use(saved);
    keep = false;
    return result;
  } catch (error) {
    keep &&= !(error instanceof DryRunStop || error instanceof Dropped);
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

function naming(context: Context, error: unknown, path: string): unknown {
  if (!(error instanceof Failure)) {
    context.warn(`${kept} ${path}`);
    return error;
  }
  const outcome = outcomeIn(error.details);
  return error.with({ outcomeText: `${outcome === undefined ? "" : `${outcome}; `}${kept} ${path}` });
}

/** Text files end with a line break, and editors add one. */
function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text === "" || text.endsWith("\n") ? text : `${text}\n`);
}

function isOfWindows(path: string): boolean {
  return !path.startsWith("/");
}

/** cmd.exe supports only double quotes, which Windows paths cannot contain. */
function quotedPath(path: string): string {
  return isOfWindows(path) ? `"${path}"` : quoted(path);
}
