import type { Command, Example, Group } from "../declare/command.ts";
import {
  argumentTerms,
  describeFlags,
  type FlagDescription,
  flagTerm,
  requestLine,
  usageLine,
} from "../declare/describe.ts";
import { globalFlags } from "../declare/globals.ts";

/** Columns of a help text, where the terminal is not narrower. */
const widest = 100;
const narrowest = 40;

/** How wide help may be on a terminal of so many columns, or off one. */
export function helpWidth(columns: number | undefined): number {
  return Math.max(narrowest, Math.min(columns ?? widest, widest));
}

/** The text of `forgectl --help`: what there is, a line each. */
export function rootHelp(entries: readonly { name: string; summary: string }[], width = widest): string {
  const shown = entries.map(({ name, summary }): Row => [name, summary]);
  const flags = [...describeFlags(globalFlags).map(flagRow), helpFlag, versionFlag];
  return lines([
    ...wrap("Administer a software-development platform through its REST API v4.", width),
    "",
    "Usage: forgectl <command> [flags]",
    ...section("Commands", columns(shown, width)),
    ...section("Global flags", columns(flags, width)),
    "",
    "Topics: forgectl help exit-codes, environment, output",
    "More:   forgectl <command> --help",
  ]);
}

/** A group's or a command's help text. */
export function nodeHelp(node: Command | Group, path: readonly string[], width = widest): string {
  return node.kind === "group" ? groupHelp(node, path, width) : commandHelp(node, path, width);
}

function groupHelp(group: Group, path: readonly string[], width: number): string {
  const rows = group.children.map((child): Row => [child.name, child.summary]);
  return lines([
    ...wrap(`${group.summary}.`, width),
    "",
    `Usage: forgectl ${path.join(" ")} <command> [flags]`,
    ...section("Commands", columns(rows, width)),
    "",
    `More: forgectl ${path.join(" ")} <command> --help`,
  ]);
}

function commandHelp(command: Command, path: readonly string[], width: number): string {
  const flags = describeFlags(command.params).sort((a, b) => Number(b.required) - Number(a.required));
  const parameters = argumentTerms(command.args).map(({ term, field }): Row => [term, field.description]);
  const requests = command.requests.flatMap((endpoint) => hanging("  ", requestLine(endpoint), width));
  const related = (command.related ?? []).map((name) => `  forgectl ${name}`);
  return lines([
    ...wrap(`${command.summary}.`, width),
    ...(command.details === undefined ? [] : ["", ...wrap(command.details, width)]),
    "",
    ...hanging("", `Usage: forgectl ${usageLine(path, command)}`, width),
    ...section(
      "Examples",
      command.examples.flatMap((example) => exampleLines(example, width)),
    ),
    ...section("Arguments", columns(parameters, width)),
    ...section("Flags", columns([...flags.map(flagRow), helpFlag], width)),
    ...section("Requests", requests),
    ...section("Related", related),
    "",
    "Global flags: forgectl --help",
  ]);
}

type Row = readonly [term: string, text: string];

const helpFlag: Row = ["-h, --help", "Show this help"];
const versionFlag: Row = ["-V, --version", "Print the version"];

function flagRow(flag: FlagDescription): Row {
  const { values, default: standard, description } = flag.field;
  const notes: string[] = [];
  if (flag.required) notes.push("required");
  if (flag.field.scope !== undefined) notes.push(`or FORGECTL_${flag.field.scope.toUpperCase()}`);
  if (values !== undefined && !flag.placeholder?.includes("|")) notes.push(values.join(", "));
  if (standard !== undefined) notes.push(`default ${standard}`);
  return [flagTerm(flag), `${description}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`];
}

/** A long line continues after a backslash, as a shell reads it: it still works as typed. */
function exampleLines({ line, note, before }: Example, width: number): string[] {
  const comment = note === undefined ? [] : wrap(note, width - "  # ".length).map((text) => `  # ${text}`);
  const typed = before === undefined ? [`forgectl ${line}`] : [before, `forgectl ${line}`];
  return [...comment, ...typed.map((each) => shellLine(each, width))];
}

function shellLine(line: string, width: number): string {
  if (line.length + "  ".length <= width) return `  ${line}`;
  return `  ${fill(unbroken(line), width - "    ".length - " \\".length).join(" \\\n    ")}`;
}

/** The words of a line as a shell sees them, a flag with what follows it: what stays together on one line. */
function unbroken(line: string): string[] {
  return line.match(/(?:-\S+ (?!-))?(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'])+/g) ?? [];
}

function section(title: string, body: readonly string[]): string[] {
  return body.length === 0 ? [] : ["", `${title}:`, ...body];
}

const descriptionColumn = 34;

/** Two columns; a term too long for its column gets a line of its own. */
function columns(rows: readonly Row[], width: number): string[] {
  const longest = Math.max(0, ...rows.map(([term]) => term.length));
  const indent = Math.min(longest + 4, descriptionColumn, Math.floor(width / 2));
  return rows.flatMap(([term, text]) => {
    const [first = "", ...rest] = wrap(text, width - indent);
    const continued = rest.map((line) => " ".repeat(indent) + line);
    const fits = term.length + 4 <= indent;
    return fits
      ? [`  ${term.padEnd(indent - 2)}${first}`.trimEnd(), ...continued]
      : [`  ${term}`, " ".repeat(indent) + first, ...continued];
  });
}

/** A long line continues on the next, indented further. */
function hanging(indent: string, text: string, width: number): string[] {
  const room = width - indent.length;
  if (text.length <= room) return [indent + text];
  return wrap(text, room - 4).map((line, index) => `${indent}${index === 0 ? "" : "    "}${line}`);
}

function wrap(text: string, width: number): string[] {
  return fill(text.split(" "), width);
}

function fill(words: readonly string[], width: number): string[] {
  const filled: string[] = [""];
  for (const word of words) {
    const line = filled.at(-1) ?? "";
    if (line === "") filled[filled.length - 1] = word;
    else if (line.length + 1 + word.length <= width) filled[filled.length - 1] = `${line} ${word}`;
    else filled.push(word);
  }
  return filled;
}

function lines(texts: readonly string[]): string {
  return `${texts.join("\n")}\n`;
}
