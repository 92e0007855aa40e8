import { commandLine } from "../base/shell-words.ts";
import type { Config } from "../config/config.ts";
import type { Context } from "../context.ts";
import { visible } from "../terminal/sanitize.ts";

/** A longer line is not one that is read, copied, and typed. */
const maxLength = 2000;

/**
 * Prints the command that undoes a change, with the flags that selected the instance, so that it reaches the same one
 * when typed elsewhere. A line that contains a secret, or that a terminal would show differently, is not printed.
 *
 * @param lines words for a shell, without the program's name; of several, each reads the output of the one before
 * @param but what it does not restore
 */
export function printUndo(context: Context, lines: string | readonly string[], but?: string): void {
  const typed = [lines].flat().map((line) => `forgectl ${line}${instanceFlags(context.config)}`);
  const whole = `undo: ${typed.join(" | ")}${but === undefined ? "" : `   # ${but}`}`;
  if (whole.length > maxLength) return;
  if (visible(whole) === whole && context.redact(whole) === whole) context.closing(whole);
}

/** A flag or a variable of this shell: another one would reach its own instance. A stored profile is the same there. */
function isOfThisShell(source: string): boolean {
  return source.startsWith("--") || source.startsWith("FORGECTL_");
}

function instanceFlags({ profile, baseUrl, registryUrl }: Config): string {
  const flags = [
    { flag: "--profile", given: profile },
    { flag: "--base-url", given: baseUrl },
    { flag: "--registry-url", given: registryUrl },
  ];
  return flags
    .flatMap(({ flag, given }) =>
      given !== undefined && isOfThisShell(given.source) ? [` ${commandLine([flag, given.value])}`] : [],
    )
    .join("");
}
