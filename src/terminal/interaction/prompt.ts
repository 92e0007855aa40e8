import { Failure } from "../../base/errors.ts";
import type { TerminalText } from "../../host.ts";
import { safe, visible } from "../sanitize.ts";
import type { Signs } from "../signs.ts";
import type { Style } from "../style.ts";
import { loadMeasure, type Measure } from "../width.ts";
import { agreement } from "./agreement.ts";
import type { Prompt } from "./index.ts";
import type { Asking } from "./typed-line.ts";

interface PromptOptions extends Omit<Asking, "interrupted"> {
  /** stdin and stderr are terminals, and prompts are allowed. */
  available: boolean;
  /** Whether the terminal may be repainted; otherwise questions are plain lines. */
  repaints: boolean;
  /** The style of stderr, loaded on the first question. */
  style(): Promise<Style>;
}

type Find = Parameters<Prompt["choose"]>[1];

type Question =
  | { type: "search"; message: string; pageSize: number; source: Source }
  | ({ type: "input"; message: string; default?: string } & Partial<ReturnType<typeof yesOrNo>>);

type Source = (
  typed: string | undefined,
  how: { signal: AbortSignal },
) => Promise<{ value: string; name: string; short: string }[]>;

/** inquirer's own question would take a Tab for a yes: a pasted table, whose lines may end in one, would agree. */
function yesOrNo(style: Style) {
  return {
    hint: "[y/N]",
    validate: (typed: string) => agreement(typed) !== undefined || 'You must answer with "Yes" or "No"',
    transformer: (typed: string, { isFinal }: { isFinal: boolean }) =>
      isFinal ? style.cyan(agreement(typed) ? safe`Yes` : safe`No`) : visible(typed),
  };
}

/** The caller must check `available` first; asking without it is a bug. */
export function createPrompt(options: PromptOptions): Prompt {
  return options.repaints ? paintedPrompt(options) : { available: options.available, ...plainlyAsked(options) };
}

function plainlyAsked({ available, ...options }: PromptOptions): Omit<Prompt, "available"> {
  const load = async () => {
    if (!available) throw new Error("prompt without a terminal");
    const { plainPrompt } = await import("./plain-prompt.ts");
    return plainPrompt({ ...options, interrupted });
  };
  return {
    confirm: async (...asked) => (await load()).confirm(...asked),
    text: async (...asked) => (await load()).text(...asked),
    secret: async (...asked) => (await load()).secret(...asked),
    choose: async (...asked) => (await load()).choose(...asked),
  };
}

function paintedPrompt(options: PromptOptions): Prompt {
  const { stdin, stderr, available, signal, style } = options;
  const ask = async <T>(question: Question, left?: AbortSignal): Promise<T> => {
    if (!available) throw new Error(`prompt without a terminal: ${question.message}`);
    if (signal.aborted) throw interrupted(signal.reason);
    const { default: inquirer } = await import("inquirer");
    const theme = themeOf(await style(), "hint" in question ? question.hint : undefined);
    const input = stdin();
    const closed = closing(input);
    const prompt = inquirer.createPromptModule({
      input,
      output: stderr,
      signal: AbortSignal.any([signal, closed.signal, ...(left === undefined ? [] : [left])]),
    });
    try {
      const { answer } = await prompt([{ ...question, message: visible(question.message), name: "answer", theme }]);
      return answer as T;
    } catch (error) {
      throw isExit(error) ? interrupted(error) : error;
    } finally {
      closed.stop();
    }
  };
  return {
    available,
    confirm: async (message) =>
      agreement(await ask<string>({ type: "input", message, ...yesOrNo(await style()) })) === true,
    text: (message, options = {}) => ask({ type: "input", message, ...options }),
    // One rule for every terminal: inquirer's own question takes the first line of what is pasted.
    secret: async (message) => {
      if (!available) throw new Error(`prompt without a terminal: ${message}`);
      const { hiddenLine } = await import("./plain-prompt.ts");
      const { bold, cyan, dim } = await style();
      const question = safe`${cyan(safe`?`)} ${bold(visible(message))} ${dim(safe`(not shown)`)} `;
      return hiddenLine({ ...options, interrupted }, question);
    },
    choose: async (message, find) => {
      const input = stdin();
      const left = new AbortController();
      const onKey = (_: string, key: { name?: string } | undefined) => {
        if (key?.name === "escape") left.abort();
      };
      input.on("keypress", onKey);
      try {
        const size = sizeOf(stderr);
        const { signs } = await style();
        const source = await sourceOf(find, size, signs);
        const pageSize = rowsFor(size, await loadMeasure(signs), keysOf(signs));
        return await ask<string>({ type: "search", message, pageSize, source }, left.signal);
      } catch (error) {
        if (left.signal.aborted && !signal.aborted) return undefined;
        throw error;
      } finally {
        input.off("keypress", onKey);
      }
    },
  };
}

interface Size {
  columns: number;
  rows: number;
}

/** A serial console, and a container whose terminal is not attached yet, say 0. */
function sizeOf({ columns, rows }: NodeJS.WriteStream): Size {
  return { columns: columns > 0 ? columns : 80, rows: rows > 0 ? rows : 24 };
}

const mostRows = 10;

/**
 * How many choices are shown at once. Enter takes the marked one, which must not be above the top of the terminal: the
 * question, a blank line, the keys, and the line that the cursor may need take rows, too.
 */
function rowsFor({ columns, rows }: Size, measure: Measure, keys: TerminalText): number {
  const others = 3 + Math.ceil(measure.width(keys) / columns);
  return Math.max(1, Math.min(mostRows, rows - others));
}

function keysOf({ moving }: Signs): TerminalText {
  return safe`${visible(moving)} to move, Enter to choose, Esc to cancel`;
}

/** Columns used by the pointer and a space before a choice, and one left empty, so that no line wraps. */
const margin = 3;

/** Choices in columns, cut to the terminal's width, with control characters shown. */
async function sourceOf(find: Find, { columns }: Size, signs: Signs): Promise<Source> {
  const measure = await loadMeasure(signs);
  return async (typed = "", { signal }) => {
    const found = await find(typed, signal);
    const widest = Math.min(
      found.reduce((most, [value]) => Math.max(most, measure.width(visible(value))), 0),
      Math.floor(columns / 2),
    );
    return found.map(([value, label]) => {
      const gap = " ".repeat(Math.max(0, widest - measure.width(visible(value))) + 2);
      const whole = label === "" ? visible(value) : visible(`${value}${gap}${label}`);
      return { value, name: measure.cut(whole, columns - margin), short: visible(value) };
    });
  };
}

/**
 * Aborted when the input ends: Ctrl-D, or a closed terminal. inquirer would stay pending, and the process would exit
 * with 0 as if it had succeeded. Its reader pauses the input when it closes.
 */
function closing(input: NodeJS.ReadStream): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const onPause = () => controller.abort();
  input.on("pause", onPause);
  return { signal: controller.signal, stop: () => input.off("pause", onPause) };
}

/** Colors of the stream's style, which inquirer ignores by default; `[y/N]` stands until there is an answer. */
function themeOf(style: Style, hint: string | undefined) {
  return {
    prefix: style.cyan(safe`?`),
    icon: { cursor: style.signs.pointer },
    style: {
      message: (text: string, status: string) => {
        const message = style.bold(visible(text));
        return hint === undefined || status === "done" ? message : safe`${message} ${style.dim(visible(hint))}`;
      },
      answer: (text: string) => style.cyan(visible(text)),
      defaultAnswer: (text: string) => style.dim(visible(`[${text}]`)),
      error: (text: string) => style.red(visible(text)),
      help: style.dim,
      highlight: (text: string) => style.cyan(visible(text)),
      searchTerm: (text: string) => style.cyan(visible(text)),
      keysHelpTip: () => style.dim(keysOf(style.signs)),
    },
  };
}

/** inquirer's errors for a missing answer: Ctrl-C, the end of the input, an aborted signal. */
function isExit(error: unknown): boolean {
  return error instanceof Error && (error.name === "ExitPromptError" || error.name === "AbortPromptError");
}

function interrupted(cause: unknown): Failure {
  return new Failure("interrupted", "interrupted at a question", { cause });
}
