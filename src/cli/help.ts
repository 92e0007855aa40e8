import { type HelpBlock, type HelpPage, type HelpRow, layOut } from "../base/help-page.ts";
import type { Command, Example, Group } from "../declare/command.ts";
import {
  argumentTerms,
  byHeading,
  describeFlags,
  type FlagDescription,
  flagTerm,
  inHelpOrder,
  requestLine,
  usageLine,
} from "../declare/describe.ts";
import { globalFlags } from "../declare/globals.ts";
import { firstExamples } from "./topics.ts";

/** A group or a top-level command, as listed in the root help. */
interface Listed {
  name: string;
  about: string;
  summary: string;
}

/** The text of `forgectl --help`: all groups, one line each, by topic. */
export function rootHelp(entries: readonly Listed[], width?: number): string {
  return layOut(rootPage(entries), width);
}

export function rootPage(entries: readonly Listed[]): HelpPage {
  const longest = Math.max(...entries.map(({ name }) => name.length));
  const flags = describeFlags(globalFlags).filter(({ name }) => commonest.has(name));
  return [
    { text: "Administer a software-development platform through its REST API v4." },
    "",
    { heading: "Usage", beside: "forgectl <command> [flags]" },
    ...byHeading(entries).flatMap(([heading, under]) =>
      table(
        heading,
        under.map(({ name, summary }): HelpRow => [name.padEnd(longest), summary]),
      ),
    ),
    ...section("Examples", firstExamples.map(exampleBlock)),
    ...table("Flags", [...flags.map(flagRow), helpFlag, versionFlag]),
    ...table("More", more),
  ];
}

/** The page of `forgectl help globals`. */
export function globalsPage(): HelpPage {
  return [
    { text: "Global flags. Every command accepts them, anywhere on the line." },
    "",
    { rows: [...describeFlags(globalFlags).map(flagRow), helpFlag, versionFlag] },
    "",
    { text: "Most have an environment variable: forgectl help environment." },
  ];
}

/** A group's or a command's help text. */
export function nodeHelp(node: Command | Group, path: readonly string[], width?: number): string {
  return layOut(nodePage(node, path), width);
}

export function nodePage(node: Command | Group, path: readonly string[]): HelpPage {
  return node.kind === "group" ? groupPage(node, path) : commandPage(node, path);
}

function groupPage(group: Group, path: readonly string[]): HelpPage {
  return [
    { text: `${group.summary}.` },
    "",
    { heading: "Usage", beside: `forgectl ${path.join(" ")} <command> [flags]` },
    ...table(
      "Commands",
      group.children.map(({ name, summary }): HelpRow => [name, summary]),
    ),
    "",
    { heading: "More", beside: `forgectl ${path.join(" ")} <command> --help` },
  ];
}

function commandPage(command: Command, path: readonly string[]): HelpPage {
  const flags = inHelpOrder(describeFlags(command.params));
  const parameters = argumentTerms(command.args).map(({ term, field }): HelpRow => [term, field.description]);
  const examples = command.examples.map(exampleBlock);
  const requests = command.requests.map((endpoint) => ({ entry: requestLine(endpoint), indent: "  " }));
  const related = (command.related ?? []).map((name) => `  forgectl ${name}`);
  return [
    { text: `${command.summary}.` },
    ...(command.details === undefined ? [] : ["", { text: command.details }]),
    "",
    { heading: "Usage", beside: `forgectl ${usageLine(path, command)}` },
    ...section("Examples", examples),
    ...table("Arguments", parameters),
    ...table("Flags", [...flags.map(flagRow), helpFlag]),
    ...section("Requests", requests),
    ...section("Related", related),
    "",
    { heading: "Global flags", beside: "forgectl help globals" },
  ];
}

/** The most used global flags: the root help lists these, `help globals` lists all. */
const commonest: ReadonlySet<string> = new Set(["output", "fields", "jq", "dry_run", "yes", "quiet", "profile"]);

const more: readonly HelpRow[] = [
  ["forgectl <command> --help", "Flags, examples, and the requests it makes"],
  ["forgectl help globals", "All flags that every command accepts"],
  ["forgectl help exit-codes", "What each exit code means"],
  ["forgectl help environment", "Environment variables"],
  ["forgectl help output", "Formats, fields, and filters"],
];

const helpFlag: HelpRow = ["-h, --help", "Show this help"];
const versionFlag: HelpRow = ["-V, --version", "Print the version"];

function exampleBlock({ line, note, before }: Example): HelpBlock {
  return { example: { line, ...(note !== undefined && { note }), ...(before !== undefined && { before }) } };
}

function flagRow(flag: FlagDescription): HelpRow {
  const { values, default: standard, description } = flag.field;
  const notes: string[] = [];
  if (flag.required) notes.push("required");
  if (flag.field.scope !== undefined) notes.push(`or FORGECTL_${flag.field.scope.toUpperCase()}`);
  if (values !== undefined && !flag.placeholder?.includes("|")) notes.push(values.join(", "));
  if (standard !== undefined) notes.push(`default ${standard}`);
  return [flagTerm(flag), `${description}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`];
}

function table(title: string, rows: readonly HelpRow[]): readonly HelpBlock[] {
  return section(title, rows.length === 0 ? [] : [{ rows }]);
}

function section(title: string, body: readonly HelpBlock[]): readonly HelpBlock[] {
  return body.length === 0 ? [] : ["", { heading: title }, ...body];
}
