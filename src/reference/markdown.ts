import { capitalize } from "../base/wording.ts";
import { placesOf, type RequestEntry, requestText } from "../declare/describe.ts";
import { type ArgumentEntry, type CommandEntry, effectOf, type FlagEntry } from "./tree.ts";

export interface Page {
  /** The group or top-level command, which is also the file's name. */
  name: string;
  summary: string;
  commands: readonly CommandEntry[];
}

/** The page of a group, with all of its commands. */
export function groupPage({ name, summary, commands }: Page): string {
  const single = commands.length === 1 && commands[0]?.command === name;
  const contents = commands.map((each) => `- [\`${each.command}\`](#${anchor(each.command)}): ${plain(each.summary)}`);
  return document([
    `# forgectl ${name}`,
    ...(single ? [] : [`${plain(summary)}.`, contents.join("\n")]),
    ...commands.flatMap((each) => [`## ${each.command}`, ...commandSections(each)]),
    "Every command also takes the [global flags](README.md#global-flags).",
  ]);
}

function commandSections(entry: CommandEntry): string[] {
  const { flags, requests, related } = entry;
  return [
    `${plain(entry.summary)}.`,
    ...(entry.details === null ? [] : [plain(entry.details)]),
    ...(entry.changes ? [withCode(effectOf(entry))] : []),
    fence(entry.usage),
    ...(entry.examples.length === 0 ? [] : ["Examples:", fence(exampleLines(entry), "sh")]),
    ...(entry.arguments.length === 0 ? [] : [table(["Argument", "Meaning"], entry.arguments.map(argumentRow))]),
    ...(flags.length === 0 ? [] : [flagTable(flags)]),
    ...(requests.length === 0 ? [] : [table(["Request", "Role", "Where"], requests.map(requestRow))]),
    ...(related.length === 0 ? [] : [`Related: ${related.map((each) => link(each)).join(", ")}.`]),
  ];
}

function exampleLines({ examples }: CommandEntry): string {
  return examples
    .flatMap(({ line, note, before }) => [
      ...(note === undefined ? [] : [`# ${note}`]),
      ...(before === undefined ? [] : [before]),
      `forgectl ${line}`,
    ])
    .join("\n");
}

function flagTable(flags: readonly FlagEntry[]): string {
  return table(["Flag", "Meaning", "Notes"], flags.map(flagRow));
}

function flagRow(flag: FlagEntry): string[] {
  const long = flag.negatable ? `--[no-]${flag.flag.slice(2)}` : flag.flag;
  const value = flag.placeholder === null ? "" : ` <${flag.placeholder}>${flag.repeatable ? "..." : ""}`;
  const term = `${flag.short === null ? "" : `${flag.short}, `}${long}${value}`;
  return [code(term), plain(flag.description), notes(flag).join("; ")];
}

function notes(flag: FlagEntry): string[] {
  const { values, min, max } = flag;
  const unit = flag.type === "string" ? " characters" : "";
  const shown = flag.placeholder?.includes("|") === true;
  return [
    ...(flag.required ? ["**required**"] : []),
    ...(flag.scope === null ? [] : [`or ${code(`FORGECTL_${flag.scope.toUpperCase()}`)}, or the profile's`]),
    ...(values === null || shown ? [] : [values.map(code).join(", ")]),
    ...(min === null ? [] : [`at least ${min}${min === 1 ? unit.replace(/s$/, "") : unit}`]),
    ...(max === null ? [] : [`at most ${max}${unit}`]),
    ...(flag.default === null ? [] : [`default ${code(String(flag.default))}`]),
  ];
}

function argumentRow({ term, description, values }: ArgumentEntry): string[] {
  const allowed = values === null || term.includes("|") ? "" : `: ${values.map(code).join(", ")}`;
  return [code(term), `${plain(description)}${allowed}`];
}

function requestRow(request: RequestEntry): string[] {
  const { role } = request;
  return [code(requestText(request)), role === null ? "" : capitalize(role), placesOf(request).join("; ")];
}

interface Index {
  pages: readonly Page[];
  globals: readonly FlagEntry[];
  topics: Readonly<Record<string, string>>;
}

/** The first page: all commands, the global flags, and the help topics. */
export function indexPage({ pages, globals, topics }: Index): string {
  return document([
    "# Reference",
    "Written from the commands themselves by `npm run generate`; `forgectl <command> --help` says the same.",
    "## Commands",
    table(
      ["Command", "Purpose"],
      pages.flatMap(({ commands }) => commands.map((each) => [link(each.command), plain(each.summary)])),
    ),
    "## Global flags",
    "They are accepted anywhere on the line. The corresponding environment variables are listed below.",
    flagTable(globals),
    ...Object.entries(topics).flatMap(([name, text]) => {
      const [title = "", ...body] = text.split("\n");
      return [`## ${heading(name)}`, plain(title), fence(body.join("\n").replace(/^\n+|\n+$/g, ""))];
    }),
  ]);
}

function heading(topic: string): string {
  return capitalize(topic).replaceAll("-", " ");
}

/** A link to a command, as typed after the program's name; later words that are not names are kept as text. */
function link(command: string): string {
  const [page = ""] = command.split(" ");
  if (page === "help") return code(`forgectl ${command}`);
  return `[\`${command}\`](${page}.md#${anchor(command)})`;
}

function anchor(command: string): string {
  return command.toLowerCase().replaceAll(" ", "-");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = head.map((_, index) => index === 0 || rows.some((row) => (row[index] ?? "") !== ""));
  const line = (cells: readonly string[]) =>
    `| ${cells
      .filter((_, index) => used[index])
      .map((cell) => cell.replaceAll("|", "\\|"))
      .join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function fence(text: string, language = ""): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function code(text: string): string {
  return `\`${text}\``;
}

/** The flags in a text, as code. */
function withCode(text: string): string {
  return text.replace(/--[a-z-]+/g, code);
}

/** Escapes Markdown: `<name>` would vanish as a tag, `*` and `_` would be emphasis. */
function plain(text: string): string {
  return text.replace(/[\\`*<>[\]]/g, "\\$&").replace(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, "\\_");
}

function document(blocks: readonly string[]): string {
  return `${blocks.join("\n\n")}\n`;
}
