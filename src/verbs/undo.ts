import { commandLine } from "../base/line.ts";
import type { Config } from "../config/types.ts";
import type { Context } from "../context.ts";
import { visible } from "../terminal/sanitize.ts";

/**
 * Says what takes a change back. Typed elsewhere the line has to reach the same instance: what chose it is repeated.
 * A line that would not be the same once it is copied from a terminal, or that has a secret in it, is not told.
 *
 * @param line words for a shell, without the program's name
 */
export function tellUndo(context: Context, line: string): void {
  const whole = `undo: forgectl ${line}${instanceFlags(context.config)}`;
  if (visible(whole) === whole && context.redact(whole) === whole) context.notice(whole);
}

function instanceFlags({ profile, baseUrl, registryUrl }: Config): string {
  const typed = [profile, baseUrl, registryUrl].filter((given) => given?.source.startsWith("--"));
  return typed.map((given) => ` ${commandLine([given?.source ?? "", given?.value ?? ""])}`).join("");
}
