import { type HelpBlock, type HelpPage, type HelpRow, layOut } from "../base/help-page.ts";
import type { Command, Group } from "../declare/command.ts";
import {
  argumentTerms,
  describeFlags,
  type FlagDescription,
  flagTerm,
  requestLine,
  usageLine,
} from "../declare/describe.ts";
import { globalFlags } from "../declare/globals.ts";

/** The text of `forgectl --help`: what there is, a line each. */
export function rootHelp(entries: Parameters<typeof rootPage>[0], width?: number): string {
  return layOut(rootPage(entries), width);
}

export function rootPage(entries: readonly { name: string; summary: string }[]): HelpPage {
  const shown = entries.map(({ name, summary }): HelpRow => [name, summary]);
  const flags = [...describeFlags(globalFlags).map(flagRow), helpFlag, versionFlag];
  return [
    { text: "Administer a software-development platform through its REST API v4." },
    "",
    { heading: "Usage", beside: "forgectl <command> [flags]" },
    ...table("Commands", shown),
    ...table("Global flags", flags),
    "",
    { heading: "Topics", beside: "forgectl help exit-codes, environment, output" },
    { heading: "More", beside: "forgectl <command> --help" },
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
  const flags = describeFlags(command.params).sort((a, b) => Number(b.required) - Number(a.required));
  const parameters = argumentTerms(command.args).map(({ term, field }): HelpRow => [term, field.description]);
  const examples = command.examples.map(({ line, note, before }) => ({
    example: { line, ...(note !== undefined && { note }), ...(before !== undefined && { before }) },
  }));
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
    { heading: "Global flags", beside: "forgectl --help" },
  ];
}

const helpFlag: HelpRow = ["-h, --help", "Show this help"];
const versionFlag: HelpRow = ["-V, --version", "Print the version"];

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
