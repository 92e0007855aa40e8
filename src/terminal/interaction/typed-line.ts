import { StringDecoder } from "node:string_decoder";
import { UsageError } from "../../base/errors.ts";
import type { TerminalText } from "../../host.ts";
import { safe } from "../sanitize.ts";

export interface Asking {
  /** Opened on the first question. */
  stdin(): NodeJS.ReadStream;
  /** Questions are written here: stdout is for results. */
  stderr: NodeJS.WriteStream;
  /** Aborted by a signal. */
  signal: AbortSignal;
  /** Calls `act` after that many milliseconds, unless the returned function is called before. */
  after(ms: number, act: () => void): () => void;
  /** The error if there is no answer. */
  interrupted(cause: unknown): Error;
}

/** The line that is typed after a question, without its end: the terminal shows and edits it. */
export function shownLine(asking: Asking, question: TerminalText): Promise<string> {
  let line = "";
  return typed(asking, question, ({ answer, leave }) => ({
    take: (text) => {
      const end = text.search(/[\r\n]/);
      line += end === -1 ? text : text.slice(0, end);
      if (end !== -1) answer(() => line);
    },
    end: leave,
  }));
}

/** Milliseconds without a character after which a line is all that was typed or pasted, on a slow connection, too. */
const quietMs = 100;

/**
 * The same of a secret, which is not shown. What has several lines, or a control character, is refused (exit 2), since
 * it would not be seen that only a part of it is stored. All of it is read: what is left would be shown, and run by the
 * shell.
 */
export async function hiddenLine(asking: Asking, question: TerminalText): Promise<string> {
  const { stderr, after } = asking;
  const input = asking.stdin();
  // First: who pastes as soon as the question stands, a script say, must not have a secret shown.
  input.setRawMode(true);
  try {
    return await typed(asking, question, ({ answer, leave }) => {
      const line = new EditedLine();
      let rest: EditedLine | undefined;
      let cancel = () => {};
      const whole = () => {
        if (rest !== undefined && rest.text.trim() !== "") throw several();
        if (/\p{Cc}/u.test(line.text)) throw unseen();
        return line.text;
      };
      const take = (text: string) => {
        cancel();
        for (const char of text) {
          // Ctrl-C and Ctrl-D, which a terminal does not act on now.
          if (char === "\u0003" || char === "\u0004") return leave();
          if (rest === undefined && isEnd(char)) rest = new EditedLine();
          else (rest ?? line).take(char);
        }
        if (rest !== undefined) cancel = after(quietMs, () => answer(whole));
      };
      return { take, end: () => (rest === undefined ? leave() : answer(whole)) };
    });
  } finally {
    input.setRawMode(false);
    stderr.write(safe`\n`);
  }
}

interface Ends {
  /** Ends with the value, or the error that is thrown instead. */
  answer(value: () => string): void;
  /** Ends without an answer. */
  leave(): void;
}

interface Typing {
  take(text: string): void;
  /** The input has ended, or the terminal was closed. */
  end(): void;
}

/** Passes on what is typed, in parts, until there is an answer. */
function typed(
  { stdin, stderr, signal, interrupted }: Asking,
  question: TerminalText,
  typing: (ends: Ends) => Typing,
): Promise<string> {
  const input = stdin();
  const decoder = new StringDecoder("utf8");
  return new Promise<string>((resolve, reject) => {
    let isSettled = false;
    const settle = (act: () => void) => {
      if (isSettled) return;
      isSettled = true;
      input.off("data", onData).off("end", onEnd).off("close", onEnd);
      signal.removeEventListener("abort", onAbort);
      input.pause();
      act();
    };
    const leave = () => settle(() => reject(interrupted(new Error("the input has ended"))));
    const onAbort = () => settle(() => reject(interrupted(signal.reason)));
    const answer = (value: () => string) =>
      settle(() => {
        try {
          resolve(value());
        } catch (error) {
          reject(error);
        }
      });
    const { take, end: onEnd } = typing({ answer, leave });
    const onData = (chunk: Buffer | string) => take(typeof chunk === "string" ? chunk : decoder.write(chunk));
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort);
    stderr.write(question);
    input.on("data", onData).on("end", onEnd).on("close", onEnd);
    input.resume();
  });
}

function isEnd(char: string): boolean {
  return char === "\n" || char === "\r";
}

/** What a terminal may put around a paste. */
const pasteMarks = ["\u001b[200~", "\u001b[201~"];

/** A line as a terminal edits it: Backspace, Ctrl-U, Ctrl-W. */
class EditedLine {
  readonly #characters: string[] = [];

  get text(): string {
    return this.#characters.join("");
  }

  take(char: string): void {
    const all = this.#characters;
    if (char === "\b" || char === "\u007f") all.pop();
    else if (char === "\u0015") all.length = 0;
    else if (char === "\u0017") this.#dropWord();
    else all.push(char);
    // A mark ends in it.
    const mark = char === "~" ? pasteMarks.find((each) => all.slice(-each.length).join("") === each) : undefined;
    if (mark !== undefined) all.length -= mark.length;
  }

  #dropWord(): void {
    const all = this.#characters;
    while (all.at(-1) === " ") all.pop();
    while (all.length > 0 && all.at(-1) !== " ") all.pop();
  }
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
