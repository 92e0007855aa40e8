import type { TerminalText } from "../../host.ts";
import { safe, visible } from "../sanitize.ts";
import { loadMeasure } from "../width.ts";
import { agreement } from "./agreement.ts";
import type { Prompt } from "./index.ts";
import { type Asking, hiddenLine, shownLine } from "./typed-line.ts";

export { hiddenLine };

// Prompts for terminals that are not repainted: a question is printed once, the answer is one line, and no escape
// sequence is written. The terminal itself echoes and edits the line.

type Find = Parameters<Prompt["choose"]>[1];
type Choices = Awaited<ReturnType<Find>>;

/** The questions of a Prompt; the caller must check that they can be asked. */
export function plainPrompt(options: Asking): Omit<Prompt, "available"> {
  const { stderr } = options;
  const ask = (question: TerminalText) => shownLine(options, question);
  return {
    confirm: async (message) => agreement(await ask(safe`${visible(message)} [y/N] `)) === true,
    text: async (message, { default: given } = {}) => {
      const shown = given === undefined ? safe`` : safe` [${visible(given)}]`;
      return (await ask(safe`${visible(message)}${shown} `)) || (given ?? "");
    },
    secret: (message) => hiddenLine(options, safe`${visible(message)} (not shown) `),
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
