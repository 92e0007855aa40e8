import { Failure } from "../errors.ts";
import { visible } from "./sanitize.ts";
import type { Prompt } from "./types.ts";

export interface PromptOptions {
  stdin: NodeJS.ReadStream;
  /** Questions go here: stdout is for results. */
  stderr: NodeJS.WriteStream;
  /** Both ends are a terminal, and asking is allowed. */
  available: boolean;
  signal: AbortSignal;
}

type Question =
  | { type: "confirm"; message: string; default: boolean }
  | { type: "input"; message: string; default?: string }
  | { type: "password"; message: string; toggleMask: false };

/** A question where none may be asked is a bug of the caller, who has to look at `available` first. */
export function createPrompt({ stdin, stderr, available, signal }: PromptOptions): Prompt {
  const ask = async <T>(question: Question): Promise<T> => {
    if (!available) throw new Error(`asked where nobody can answer: ${question.message}`);
    if (signal.aborted) throw interrupted(signal.reason);
    const { default: inquirer } = await import("inquirer");
    const prompt = inquirer.createPromptModule({ input: stdin, output: stderr, signal });
    try {
      const { answer } = await prompt([{ ...question, message: visible(question.message), name: "answer" }]);
      return answer as T;
    } catch (error) {
      throw isExit(error) ? interrupted(error) : error;
    }
  };
  return {
    available,
    confirm: (message) => ask({ type: "confirm", message, default: false }),
    text: (message, options = {}) => ask({ type: "input", message, ...options }),
    secret: (message) => ask({ type: "password", message, toggleMask: false }),
  };
}

/** inquirer's ways to say that no answer will come: Ctrl-C, the end of the input, an aborted signal. */
function isExit(error: unknown): boolean {
  return error instanceof Error && (error.name === "ExitPromptError" || error.name === "AbortPromptError");
}

function interrupted(cause: unknown): Failure {
  return new Failure("interrupted", "interrupted at a question", { cause });
}
