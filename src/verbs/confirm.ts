import { Failure, UsageError } from "../base/errors.ts";
import { capitalize } from "../base/wording.ts";
import type { Context } from "../context.ts";

export interface Question {
  /** What goes, named exactly: `delete tag "v1" of repository 12 in project 7`. */
  action: string;
  /**
   * Asks for this text to be typed instead of a `y`: for what cannot be taken back and takes much with it. A text that
   * has to be looked up first is, where there is somebody to ask.
   */
  typed?: string | (() => Promise<string>) | undefined;
  /** What to do in place of agreeing, for the hint where there is nobody to ask: "keep it with --keep". */
  instead?: string;
}

/** Whether there is somebody to ask, and something to ask: then a question is worth a look at what goes. */
export function asks(context: Context): boolean {
  return !context.config.yes && !context.config.dryRun && context.prompt.available;
}

/** Asks before something is destroyed. Off a terminal, or with asking forbidden, `--yes` must have been given. */
export async function confirm(context: Context, question: Question): Promise<void> {
  if (context.config.yes || context.config.dryRun) return;
  if (!context.prompt.available) {
    throw new UsageError(`this would ${question.action}, and there is nobody to ask`, {
      code: "confirmation_needed",
      hint: `${question.instead === undefined ? "" : `${question.instead}; or `}add --yes to go ahead, or --dry-run to see the requests`,
    });
  }
  const typed = typeof question.typed === "function" ? await question.typed() : question.typed;
  const action = capitalize(question.action);
  const agreed =
    typed === undefined
      ? await context.prompt.confirm(`${action}?`)
      : (await context.prompt.text(`${action}? Type ${typed} to go ahead:`)).trim() === typed;
  if (!agreed) throw new Failure("usage", "not confirmed; nothing was sent", { code: "not_confirmed" });
}

/** `--yes` again, where it was given: a command to go on with asks no less than the one before. */
export function confirmed(context: Context): string[] {
  return context.config.yes ? ["--yes"] : [];
}
