import { StringDecoder } from "node:string_decoder";
import { UsageError } from "../../base/errors.ts";
import type { TerminalText } from "../../host.ts";
import { safe, visible } from "../sanitize.ts";
import { loadMeasure } from "../width.ts";
import { agreement } from "./agreement.ts";
import type { Prompt } from "./index.ts";

// Prompts for terminals that are not repainted: a question is printed once, the answer is one line, and no escape
// sequence is written. The terminal itself echoes and edits the line.

interface PlainPromptOptions {
  /** Opened on the first question. */
  stdin(): NodeJS.ReadStream;
  stderr: NodeJS.WriteStream;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** The error if there is no answer. */
  interrupted(cause: unknown): Error;
}

type Find = Parameters<Prompt["choose"]>[1];
type Choices = Awaited<ReturnType<Find>>;

/** The questions of a Prompt; the caller must check that they can be asked. */
export function plainPrompt(options: PlainPromptOptions): Omit<Prompt, "available"> {
  const { stderr } = options;
  const ask = (question: TerminalText, hidden = false) => answerTo(options, question, hidden);
  return {
    confirm: async (message) => agreement(await ask(safe`${visible(message)} [y/N] `)) === true,
    text: async (message, { default: given } = {}) => {
      const shown = given === undefined ? safe`` : safe` [${visible(given)}]`;
      return (await ask(safe`${visible(message)}${shown} `)) || (given ?? "");
    },
    secret: (message) => ask(safe`${visible(message)} (not shown) `, true),
    choose: async (message, find) => {
      stderr.write(safe`${visible(message)}\n`);
      for (let typed = ""; ; ) {
        const found = await find(typed, options.signal);
        if (typed !== "" && found.length === 1 && found[0]?.[0] === typed) return typed;
        await list(found, stderr);
        const count = Math.min(found.length, maxShown);
        const range =
          count === 0 ? safe`text to search` : safe`${count === 1 ? 1 : safe`1-${count}`}, or text to narrow`;
        const answer = (await ask(safe`Choice (${range}): `)).trim();
        const chosen = /^\d+$/.test(answer) ? found[Number(answer) - 1] : undefined;
        if (chosen !== undefined && Number(answer) <= count) return chosen[0];
        // An empty line shows the whole list again, and leaves that one.
        if (answer === "" && typed === "") return undefined;
        typed = answer;
      }
    },
  };
}

/** How many choices are listed at once. */
const maxShown = 10;

/** The first choices with their numbers, and how many there are besides. */
async function list(found: Choices, stderr: NodeJS.WriteStream): Promise<void> {
  const measure = await loadMeasure();
  const shown = found.slice(0, maxShown);
  const widest = shown.reduce((width, [value]) => Math.max(width, measure.width(visible(value))), 0);
  for (const [index, [value, label]] of shown.entries()) {
    const gap = " ".repeat(widest - measure.width(visible(value)) + 2);
    const line = label === "" ? visible(value) : visible(`${value}${gap}${label}`);
    stderr.write(safe`${visible(String(index + 1).padStart(3))}  ${line}\n`);
  }
  if (found.length > maxShown) stderr.write(safe`     and ${found.length - maxShown} more\n`);
  if (found.length === 0) stderr.write(safe`     nothing matches\n`);
}

/** One line of the terminal, without its end. Ctrl-D and a closed terminal are no answer. */
function answerTo(
  { stdin, stderr, signal, interrupted }: PlainPromptOptions,
  question: TerminalText,
  hidden: boolean,
): Promise<string> {
  const input = stdin();
  const decoder = new StringDecoder("utf8");
  const isRaw = hidden && input.isTTY;
  return new Promise<string>((resolve, reject) => {
    let text = "";
    const settle = (act: () => void) => {
      input.off("data", onData).off("end", onEnd).off("close", onEnd);
      signal.removeEventListener("abort", onAbort);
      // Echo is off in raw mode only.
      if (isRaw) {
        input.setRawMode(false);
        stderr.write(safe`\n`);
      }
      input.pause();
      act();
    };
    const onEnd = () => settle(() => reject(interrupted(new Error("the input has ended"))));
    const onAbort = () => settle(() => reject(interrupted(signal.reason)));
    const onData = (chunk: Buffer | string) => {
      const characters = [...(typeof chunk === "string" ? chunk : decoder.write(chunk))];
      for (const [index, char] of characters.entries()) {
        if (isRaw && (char === "\u0003" || char === "\u0004")) return onEnd();
        if (char !== "\n" && char !== "\r") {
          text = isRaw ? edited(text, char) : text + char;
          continue;
        }
        const rest = pasteMarks.reduce((left, mark) => left.replaceAll(mark, ""), characters.slice(index + 1).join(""));
        return settle(() => {
          if (isRaw && rest.trim() !== "") reject(several());
          else if (isRaw && /\p{Cc}/u.test(text)) reject(unseen());
          else resolve(text);
        });
      }
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort);
    // First: who pastes as soon as the question stands, a script say, must not have a secret echoed.
    if (isRaw) input.setRawMode(true);
    stderr.write(question);
    input.on("data", onData).on("end", onEnd).on("close", onEnd);
    input.resume();
  });
}

/** What a terminal may put around a paste. */
const pasteMarks = ["\u001b[200~", "\u001b[201~"];

/** A line with one more character, as a terminal edits it: Backspace, Ctrl-U, Ctrl-W. */
function edited(text: string, char: string): string {
  if (char === "\b" || char === "\u007f") return [...text].slice(0, -1).join("");
  if (char === "\u0015") return "";
  if (char === "\u0017") return text.slice(0, text.trimEnd().lastIndexOf(" ") + 1);
  const longer = text + char;
  const mark = pasteMarks.find((each) => longer.endsWith(each));
  return mark === undefined ? longer : longer.slice(0, -mark.length);
}

/** What cannot be seen would be stored: an arrow key, Ctrl-Z. */
function unseen(): UsageError {
  return new UsageError("what was typed has a control character, such as that of an arrow key", {
    hint: "type it again: Backspace, Ctrl-W, and Ctrl-U delete a character, a word, and all of it",
  });
}

/** The first line of a key would be stored in its place. */
function several(): UsageError {
  return new UsageError("what was typed has several lines", { hint: "put it into a file, and name that" });
}
