import type { Context } from "../../context.ts";

// Lines that instances run as commands, such as `/close`, in a text that is posted (commands-in-text). They know
// some dozens of names, and have others in other releases: any name may be one of them.

const command = /^\/([a-z_]{1,40})(?:\s|$)/iu;

/** Whether a text has nothing else: instances delete a note for it (commands-delete-note). */
export function isOnlyCommands(text: string): boolean {
  return linesOf(text).every((line) => line.trim() === "" || command.test(line.trimStart()));
}

/**
 * The lines that instances store in any case: they leave out the commands that they know, with blank lines behind.
 * What is code in a text may not be code in what is stored of it, so that no line of code that looks like a command is
 * in it.
 */
export function withoutCommands(text: string): string {
  return linesOf(text)
    .filter((line) => line.trim() !== "" && !command.test(line))
    .join("\n");
}

/** The lines that may be commands. */
export function commandsOf(text: string): readonly string[] {
  return divided(text).commands;
}

/** Warns of commands beside other text, which may be another's: of a commit, or of the output of a test. */
export function warnOfCommands(context: Pick<Context, "warn">, text: string): void {
  const { commands, rest } = divided(text);
  if (commands.length === 0 || rest.every((line) => line.trim() === "")) return;
  const named = [...new Set(commands.map((line) => `/${command.exec(line)?.[1]}`))];
  const shown = named.length > mostNamed ? [...named.slice(0, mostNamed), "..."] : named;
  context.warn(
    `instances run lines that begin with a command which they know, perhaps ${shown.join(", ")}, with this token's ` +
      "rights, and leave them out of the text; a line with a space before it stays text",
  );
}

const mostNamed = 5;

/**
 * The lines that may be commands, and the others. What is between lines of three backticks is code, as long as all
 * releases agree on where it begins and ends: older ones search a text for pairs of marks, later ones read Markdown.
 */
function divided(text: string): { commands: string[]; rest: string[] } {
  const lines = linesOf(text);
  const commands: string[] = [];
  const rest: string[] = [];
  let codeEnd = -1;
  let isOpen = false;
  for (const [at, line] of lines.entries()) {
    if (at > codeEnd && !isOpen) {
      const end = /^```[\w+-]*$/.test(line) ? endOfCode(lines, at) : undefined;
      if (end !== undefined) codeEnd = end;
      else isOpen = mayReachFurther(line);
    }
    const isCommand = at > codeEnd && command.test(line);
    (isCommand ? commands : rest).push(line);
  }
  return { commands, rest };
}

/** The line that ends the code for all releases; undefined if it may be another, or none. */
function endOfCode(lines: readonly string[], begin: number): number | undefined {
  let end = begin + 1;
  while (end < lines.length && !/^\s*`{3,}\s*$/.test(lines[end] ?? "")) end += 1;
  // For older releases, three backticks right behind three are within the code.
  return lines[end] !== "```" || (lines[begin] === "```" && end === begin + 1) ? undefined : end;
}

/** Whether a line outside of code begins something that may end in another line: code, a tag, a quote, a preface. */
function mayReachFurther(line: string): boolean {
  return /^\s*(?:`|~~~|<|>>>)|^(?:---|\+\+\+|;;;)/.test(line) || line.replace(/`[^`]+`/g, "").includes("`");
}

/** Instances remove each carriage return before they look for commands. */
function linesOf(text: string): string[] {
  return text.replaceAll("\r", "").split("\n");
}
