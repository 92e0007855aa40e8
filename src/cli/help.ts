import type { Command, Group } from "../command/command.ts";
import {
  argumentTerms,
  describeFlags,
  type FlagDescription,
  flagTerm,
  requestLine,
  usageLine,
} from "../command/describe.ts";
import { globalFlags } from "../command/globals.ts";

/** The text of `forgectl --help`: what there is, a line each. */
export function rootHelp(entries: readonly { name: string; summary: string; hidden?: boolean }[]): string {
  return lines([
    "Administer a software-development platform through its REST API v4.",
    "",
    "Usage: forgectl <command> [flags]",
    "",
    "Commands:",
    ...columns(entries.filter(({ hidden }) => !hidden).map(({ name, summary }) => [name, summary])),
    "",
    "Global flags:",
    ...columns([...describeFlags(globalFlags).map(flagRow), helpFlag, ["-V, --version", "Print the version"]]),
    "",
    "Topics: forgectl help exit-codes, environment, output",
    "More:   forgectl <command> --help",
  ]);
}

/** A group's or a command's help text. */
export function nodeHelp(node: Command | Group, path: readonly string[]): string {
  return node.kind === "group" ? groupHelp(node, path) : commandHelp(node, path);
}

function groupHelp(group: Group, path: readonly string[]): string {
  const shown = group.children.filter((child) => child.kind === "group" || !child.hidden);
  return lines([
    `${group.summary}.`,
    "",
    `Usage: forgectl ${path.join(" ")} <command> [flags]`,
    "",
    "Commands:",
    ...columns(shown.map((child) => [child.name, child.summary])),
    "",
    `More: forgectl ${path.join(" ")} <command> --help`,
  ]);
}

function commandHelp(command: Command, path: readonly string[]): string {
  const flags = describeFlags(command.params).sort((a, b) => Number(b.required) - Number(a.required));
  return lines([
    `${command.summary}.`,
    ...(command.details === undefined ? [] : ["", ...wrap(command.details)]),
    "",
    `Usage: forgectl ${usageLine(path, command)}`,
    ...section(
      "Examples",
      command.examples.flatMap(({ line, note }) => [
        ...(note === undefined ? [] : [`  # ${note}`]),
        `  forgectl ${line}`,
      ]),
    ),
    ...section("Arguments", columns(argumentTerms(command.args).map(({ term, field }) => [term, field.description]))),
    ...section("Flags", columns([...flags.map(flagRow), helpFlag])),
    ...section(
      "Requests",
      command.requests.map((endpoint) => `  ${requestLine(endpoint)}`),
    ),
    ...section(
      "Related",
      (command.related ?? []).map((related) => `  forgectl ${related}`),
    ),
    "",
    "Global flags: forgectl --help",
  ]);
}

const helpFlag: [string, string] = ["-h, --help", "Show this help"];

function flagRow(flag: FlagDescription): [string, string] {
  const { values, default: standard, description } = flag.field;
  const notes: string[] = [];
  if (flag.required) notes.push("required");
  if (flag.field.scope !== undefined) notes.push(`or FORGECTL_${flag.field.scope.toUpperCase()}`);
  if (values !== undefined && !flag.placeholder?.includes("|")) notes.push(values.join(", "));
  if (standard !== undefined) notes.push(`default ${standard}`);
  return [flagTerm(flag), `${description}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`];
}

function section(title: string, body: readonly string[]): string[] {
  return body.length === 0 ? [] : ["", `${title}:`, ...body];
}

const descriptionColumn = 34;
const width = 100;

/** Two columns; a term too long for its column gets a line of its own. */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  const longest = Math.max(0, ...rows.map(([term]) => term.length));
  const indent = Math.min(longest + 4, descriptionColumn);
  return rows.flatMap(([term, text]) => {
    const [first = "", ...rest] = wrap(text, width - indent);
    const continued = rest.map((line) => " ".repeat(indent) + line);
    const fits = term.length + 4 <= indent;
    return fits
      ? [`  ${term.padEnd(indent - 2)}${first}`.trimEnd(), ...continued]
      : [`  ${term}`, " ".repeat(indent) + first, ...continued];
  });
}

function wrap(text: string, limit = width): string[] {
  const wrapped: string[] = [""];
  for (const word of text.split(" ")) {
    const line = wrapped.at(-1) ?? "";
    if (line === "") wrapped[wrapped.length - 1] = word;
    else if (line.length + 1 + word.length <= limit) wrapped[wrapped.length - 1] = `${line} ${word}`;
    else wrapped.push(word);
  }
  return wrapped;
}

function lines(texts: readonly string[]): string {
  return `${texts.join("\n")}\n`;
}
