import { Failure, UsageError } from "../base/errors.ts";
import { capitalize } from "../base/wording.ts";
import type { Context } from "../context.ts";
import { staleCode } from "../jobs/tally.ts";

export interface Question {
  /** The exact action: `delete tag "v1" of repository 12 in project 7`. */
  action: string;
  /**
   * Asks for this text to be typed instead of a `y`, for irreversible actions with wide effects. A function
   * looks the text up, and is called only if the user can be asked.
   */
  typed?: string | (() => Promise<string>) | undefined;
  /** A sentence on what cannot be undone, without its stop. */
  remark?: string | undefined;
  /** The alternative, for the hint when prompting is not possible: "keep it with --keep". */
  instead?: string;
}

/** Whether a question will be asked: only then is it worth looking up details for it. */
export function asks(context: Context): boolean {
  return !context.config.yes && !context.config.dryRun && context.prompt.available;
}

/** If no question is possible, fails before any request unless `--yes` was given. */
export async function refuseUnasked(context: Context, question: Question): Promise<void> {
  if (context.answer === undefined && !context.prompt.available) await confirm(context, question);
}

/** Asks before something is destroyed. Without a terminal, or with prompts disabled, `--yes` is required. */
export async function confirm(context: Context, question: Question): Promise<void> {
  if (context.answer !== undefined) return context.answer(question);
  if (context.config.yes || context.config.dryRun) return;
  if (!context.prompt.available) {
    throw new UsageError(`this would ${question.action}, and needs confirmation`, {
      code: "confirmation_needed",
      ...(question.remark !== undefined && { reason: question.remark }),
      hint: `${question.instead === undefined ? "" : `${question.instead}; or `}add --yes to confirm, or --dry-run to see the requests`,
    });
  }
  const typed = typeof question.typed === "function" ? await question.typed() : question.typed;
  const action = capitalize(question.action);
  if (question.remark !== undefined) context.warn(question.remark);
  const agreed =
    typed === undefined
      ? await context.prompt.confirm(`${action}?`)
      : (await context.prompt.text(`${action}? Type ${typed} to confirm:`)).trim() === typed;
  if (!agreed) throw notConfirmed();
}

/** The question was answered with no. */
export function notConfirmed(): Failure {
  return new Failure("usage", "not confirmed", { code: "not_confirmed", nothing: "sent" });
}

interface Seen<T> {
  /** What the request is made from, or the question shows, as it was read before. */
  seen: T;
  /** Reads it again. */
  look(): Promise<T>;
  /** Its name for the error: `hook 2 of group acme`. */
  what: string;
}

/** Asks, and then looks again: a question may be open for hours, and what others change meanwhile must not be lost. */
export async function confirmSeen<T>(context: Context, question: Question, given: Seen<T>): Promise<void> {
  const isAsked = context.answer === undefined && asks(context);
  await confirm(context, question);
  if (isAsked) await refuseOther(given, "the question was open");
}

/** Looks again, and throws if it is not what was seen. */
export async function refuseOther<T>({ seen, look, what }: Seen<T>, during: string): Promise<void> {
  if (JSON.stringify(await look()) === JSON.stringify(seen)) return;
  throw new Failure("conflict", `${what}: changed while ${during}`, {
    code: staleCode,
    nothing: "sent",
    hint: "run the command again: it shows the current state",
  });
}

/**
 * For a suggested command: `--yes` if it was given, so that it prompts only if this one did. What a dry run suggests is
 * one.
 */
export function confirmed({ config: { dryRun, yes, yesFor } }: Context): string[] {
  if (dryRun) return ["--dry-run"];
  return yesFor !== undefined ? [`--yes=${yesFor}`] : yes ? ["--yes"] : [];
}
