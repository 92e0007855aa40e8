import type { CommandEntry, FlagEntry } from "./tree.ts";

interface Manual {
  commands: readonly CommandEntry[];
  globals: readonly FlagEntry[];
  topics: Readonly<Record<string, string>>;
}

/** `man forgectl`: every command with its flags, in roff. It contains no version or date, so that it changes only with the commands. */
export function manPage({ commands, globals, topics }: Manual): string {
  const lines = [
    '.\\" Written from the commands by "npm run generate".',
    '.TH FORGECTL 1 "" "forgectl" "User commands"',
    ".SH NAME",
    "forgectl \\- administer a software\\-development platform through its REST API v4",
    ".SH SYNOPSIS",
    ".B forgectl",
    ".I command",
    "[flags]",
    ".SH COMMANDS",
    ...commands.flatMap(commandLines),
    ".SH GLOBAL FLAGS",
    ...globals.flatMap(flagLines),
    ...Object.entries(topics).flatMap(([name, text]) => [`.SH ${roff(name).toUpperCase()}`, ...verbatim(text)]),
  ];
  return `${lines.join("\n")}\n`;
}

function commandLines(entry: CommandEntry): string[] {
  return [
    `.SS "${roff(entry.command).replaceAll('"', "\\(dq")}"`,
    textLine(`${entry.summary}.`),
    ...(entry.details === null ? [] : [".PP", textLine(entry.details)]),
    ".PP",
    `.B ${roff(entry.usage)}`,
    ...entry.flags.flatMap(flagLines),
  ];
}

function flagLines(flag: FlagEntry): string[] {
  const long = flag.negatable ? `--[no-]${flag.flag.slice(2)}` : flag.flag;
  const name = `${flag.short === null ? "" : `${flag.short}, `}${long}`;
  const value = flag.placeholder === null ? "" : ` \\fI${roff(flag.placeholder)}\\fR${flag.repeatable ? "..." : ""}`;
  const notes = [
    ...(flag.required ? ["required"] : []),
    ...(flag.values === null || flag.placeholder?.includes("|") ? [] : [flag.values.join(", ")]),
    ...(flag.default === null ? [] : [`default ${flag.default}`]),
  ];
  const text = `${flag.description}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
  return [".TP", `\\fB${roff(name)}\\fR${value}`, textLine(text)];
}

function verbatim(text: string): string[] {
  return [".nf", ...text.trimEnd().split("\n").map(textLine), ".fi"];
}

/** A line of text; one that begins with a dot or an apostrophe would be a request. */
function textLine(text: string): string {
  const line = roff(text);
  return /^[.']/.test(line) ? `\\&${line}` : line;
}

/** Escapes backslashes, writes hyphens as minus signs so that they can be copied, and non-ASCII characters by number. */
function roff(text: string): string {
  const number = (character: string) => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/[^\n -~]/gu, (character) => `\\[u${number(character)}]`);
}
