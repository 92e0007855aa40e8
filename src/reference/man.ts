import type { HelpBlock } from "../base/help-page.ts";
import { topicPage } from "../base/topic-page.ts";
import type { Example } from "../declare/command.ts";
import { byHeading, needsOf, type RequestEntry, requestText } from "../declare/describe.ts";
import type { Page } from "./markdown.ts";
import {
  entryLines,
  exampleLines,
  filled,
  flagLines,
  pageHead,
  pageName,
  pageReferences,
  roff,
  section,
} from "./roff.ts";
import { type CommandEntry, effectOf, type FlagEntry } from "./tree.ts";

/** A group with its commands, below its heading. */
export interface ManualPage extends Page {
  about: string;
}

interface Manual {
  pages: readonly ManualPage[];
  globals: readonly FlagEntry[];
  topics: Readonly<Record<string, string>>;
  examples: readonly Example[];
  /** The date of the last release: `2026-01-31`. */
  date: string;
}

/** The man pages in roff, by file name: `forgectl(1)`, one for each group, and one for each command. */
export function manPages(manual: Manual): Map<string, string> {
  const groups = manual.pages.filter(({ name, commands }) => commands[0]?.command !== name);
  const commands = manual.pages.flatMap((page) => page.commands);
  return new Map([
    [fileOf(""), programPage(manual)],
    ...groups.map((each) => [fileOf(each.name), groupPage(each, manual)] as const),
    ...commands.map((entry) => [fileOf(entry.command), commandPage(entry, manual)] as const),
  ]);
}

function fileOf(command: string): string {
  return `${pageName(command)}.1`;
}

function programPage(manual: Manual): string {
  const { pages, globals, topics, examples } = manual;
  const topic = (name: string) => topicBlocks(topics[name]).flatMap(blockLines);
  return page(
    { command: "", date: manual.date },
    "administer a software-development platform through its REST API v4",
    [
      ...section("SYNOPSIS", [".B forgectl", ".I command", "[flags]"]),
      ...section("DESCRIPTION", description.flatMap(paragraph)),
      ...section("OPTIONS", ["Every command accepts them, anywhere on the line.", ...globals.flatMap(flagLines)]),
      ...section("EXAMPLES", exampleLines(examples)),
      ...section("EXIT STATUS", topic("exit-codes")),
      ...section("FILES", [
        ...files.flatMap(([path, text]) => entryLines(path, text)),
        ...paragraph(
          "On macOS the first three are in ~/Library/Application Support/forgectl, on Windows in %APPDATA%\\forgectl and " +
            "%LOCALAPPDATA%\\forgectl\\state.",
        ),
      ]),
      ...section(
        "COMMANDS",
        byHeading(pages).flatMap(([heading, under]) => [
          `.SS ${roff(heading)}`,
          ...under.flatMap(({ name, summary }) => [".TP", ...pageReferences([name]), filled(summary)]),
        ]),
      ),
      ...section("OUTPUT", topic("output")),
      ...section("ENVIRONMENT", topic("environment")),
    ],
  );
}

const description = [
  "It prints what the API answers as a table, JSON, NDJSON, YAML, CSV, or TSV, and makes the requested changes: for " +
    "operators at a terminal, for scripts that parse its output, and for CI jobs.",
  "Results go to stdout, everything else to stderr. Commands that change the instance accept --dry-run, which shows the requests " +
    "and sends none of them; deletions ask first. Without a terminal, there are no prompts.",
  "Each group of commands has a page, forgectl-users(1), and so has each command, forgectl-users-list(1).",
];

const files: readonly (readonly [path: string, text: string])[] = [
  [
    "~/.config/forgectl/profiles.json",
    "The profiles. FORGECTL_CONFIG_DIR names another folder for this file and the next.",
  ],
  ["~/.config/forgectl/credentials.json", "Tokens that are not in a keyring; only you can read it."],
  [
    "~/.local/state/forgectl/",
    "Journals of runs, and what state rollback restores. FORGECTL_STATE_DIR names another folder.",
  ],
  ["~/.cache/forgectl/", "Caches that make the next start faster. It can be removed at any time."],
];

function groupPage({ name, summary, commands }: ManualPage, { date }: Manual): string {
  return page({ command: name, date }, summary, [
    ...section("SYNOPSIS", [`.B forgectl ${roff(name)}`, ".I command", "[flags]"]),
    ...section(
      "COMMANDS",
      commands.flatMap((entry) => [".TP", ...pageReferences([entry.command]), filled(entry.summary)]),
    ),
    ...seeAlso([]),
  ]);
}

function commandPage(entry: CommandEntry, { topics, date }: Manual): string {
  const { command, summary, details, usage, flags, requests } = entry;
  const described = [details, entry.changes ? effectOf(entry) : null].flatMap((text) => text ?? []);
  return page({ command, date }, summary, [
    ...section("SYNOPSIS", [`.B ${roff(usage)}`]),
    ...section("DESCRIPTION", described.flatMap(paragraph)),
    ...section(
      "ARGUMENTS",
      entry.arguments.flatMap(({ term, description: text }) => entryLines(term, text)),
    ),
    ...section("OPTIONS", flags.flatMap(flagLines)),
    ...section("EXIT STATUS", exitLines(entry, topics["exit-codes"])),
    ...section("ENVIRONMENT", environmentLines(entry, topics.environment)),
    ...section("EXAMPLES", exampleLines(entry.examples)),
    ...section("REQUESTS", requests.flatMap(requestLines)),
    ...seeAlso(entry.related.filter((name) => !/^help\b/.test(name))),
  ]);
}

/** The codes of the command, in the words of the topic. */
function exitLines({ exit_codes: codes }: CommandEntry, topic = ""): string[] {
  return rowsOf(topic)
    .filter(([code]) => codes.includes(Number(code)))
    .flatMap(([code, text]) => entryLines(code.trim(), text));
}

/** The variables that replace the command's own flags, and where all are described. */
function environmentLines({ flags }: CommandEntry, topic = ""): string[] {
  const names = flags.flatMap(({ scope }) => (scope === null ? [] : [`FORGECTL_${scope.toUpperCase()}`]));
  return [
    ...rowsOf(topic)
      .filter(([name]) => names.includes(name.trim()))
      .flatMap(([name, text]) => entryLines(name.trim(), text)),
    ...paragraph("The variables that every command reads, such as FORGECTL_TOKEN, are in forgectl(1)."),
  ];
}

/** The blocks of a topic below its title. */
function topicBlocks(text = ""): readonly HelpBlock[] {
  return topicPage(text).slice(2);
}

function rowsOf(topic: string): readonly (readonly [term: string, text: string])[] {
  return topicBlocks(topic).flatMap((block) => (typeof block !== "string" && "rows" in block ? block.rows : []));
}

/** The request, and below it what it needs. */
function requestLines(request: RequestEntry): string[] {
  return entryLines(requestText(request), needsOf(request).join("; "));
}

/** A block of a help topic. */
function blockLines(block: HelpBlock): string[] {
  if (typeof block === "string") return block === "" ? [] : paragraph(block);
  if ("rows" in block) return block.rows.flatMap(([term, text]) => entryLines(term.trim(), text));
  return "text" in block ? paragraph(block.text) : [];
}

function seeAlso(related: readonly string[]): string[] {
  return section("SEE ALSO", [
    ...pageReferences(["", ...related]),
    ...paragraph("Global options, files, and environment variables are in forgectl(1)."),
  ]);
}

function page(
  { command, date }: { command: string; date: string },
  summary: string,
  sections: readonly string[],
): string {
  const name = pageName(command);
  const lines = [...pageHead(name, date), ...section("NAME", [filled(`${name} - ${summary}`)]), ...sections];
  return `${lines.join("\n")}\n`;
}

function paragraph(text: string): string[] {
  return [".PP", filled(text)];
}
