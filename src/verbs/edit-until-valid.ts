import { UsageError } from "../base/errors.ts";
import type { Context } from "../context.ts";
import { batches } from "../terminal/batches.ts";
import type { RowsView } from "../terminal/view.ts";
import { bytesOf, changedText, type Edit, openEditor, type Saved, textIn } from "./editor.ts";

/** A problem in a text that was saved. */
export interface Problem {
  /** From 1. */
  line: number;
  message: string;
}

interface Checked extends Edit<string> {
  check(text: string): Promise<readonly Problem[]>;
}

/**
 * As `edit`, for a text that can have problems: the editor reopens with them at the top, as comments, until there are
 * none. A text that is saved again as it was is an error, and so is the twentieth with problems: an editor that is a
 * script would be reopened without end. The text is kept until the view's work, which begins as it is read, has
 * succeeded.
 *
 * @param use also gets the path of the text, for a hint: the file stays if the work fails
 */
export async function editUntilValid(
  context: Context,
  { name, initial, check }: Checked,
  use: (text: string, path: string) => Promise<RowsView>,
): Promise<RowsView> {
  let rejected: string | undefined;
  let tries = 0;
  const bodyIn = (saved: Uint8Array) => changedText(textIn(saved).replace(shownProblems, ""), initial);
  const reopen = async (saved: Uint8Array) => {
    const text = bodyIn(saved);
    const problems = await check(text);
    if (problems.length === 0) return undefined;
    tries += 1;
    if (text === rejected || tries === mostTries) throw invalid(problems, linesAbove(saved));
    rejected = text;
    return bytesOf(`${header(problems)}${text}`);
  };
  const saved = await openEditor(context, { name, initial: bytesOf(initial), reopen });
  const orKept = <T>(work: () => Promise<T>): Promise<T> =>
    work().catch(async (error: unknown) => {
      throw await saved.failed(error);
    });
  const view = await orKept(async () => use(bodyIn(saved.bytes), saved.path));
  return {
    ...view,
    rows: { batches: () => rowsOrKept(view, saved) },
    until: async (printed) => {
      await orKept(async () => (await view.until?.(printed)) ?? printed);
      await saved.remove();
    },
  };
}

async function* rowsOrKept({ rows }: RowsView, saved: Saved): AsyncGenerator<object[]> {
  try {
    yield* "batches" in rows ? rows.batches() : batches(rows);
  } catch (error) {
    throw await saved.failed(error);
  }
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

/** How many lines of problems are still above a text that was saved. */
function linesAbove(saved: Uint8Array): number {
  const [shown = ""] = shownProblems.exec(textIn(saved)) ?? [];
  return shown.split("\n").length - 1;
}

/** @param above lines above the text, in the file that is kept */
function invalid(problems: readonly Problem[], above: number): UsageError {
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  return new UsageError("the text that was saved has problems", {
    code: "not_edited",
    nothing: "sent",
    ...(first && { reason: `line ${first.line + above}: ${first.message}${more}` }),
  });
}
