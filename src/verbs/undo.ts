import { unlessHidden } from "../base/shell-words.ts";
import type { Context } from "../context.ts";
import { visible } from "../terminal/sanitize.ts";
import { instanceFlags } from "./instance-flags.ts";

/** A longer line is not one that is read, copied, and typed. */
const maxLength = 2000;

/**
 * Prints the command that undoes a change, with the flags that selected the instance, so that it reaches the same one
 * when typed elsewhere. A line that contains a secret, or that a terminal would show differently, is not printed.
 *
 * @param lines words for a shell, without the program's name; of several, each runs if the one before succeeded
 * @param but what it does not restore
 */
export function printUndo(context: Context, lines: string | readonly string[], but?: string): void {
  const typed = [lines].flat().map((line) => `forgectl ${line}${instanceFlags(context.config)}`);
  const whole = `undo: ${typed.join(" && ")}${but === undefined ? "" : `   # ${but}`}`;
  if (whole.length > maxLength) return;
  if (visible(whole) === whole && unlessHidden(whole, context.redact) !== null) context.closing(whole);
}
