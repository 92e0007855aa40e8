/** A help page as data, before it is wrapped to a width: the build stores it. */
export type HelpPage = readonly HelpBlock[];

export type HelpBlock =
  /** Lines as they are. */
  | string
  /** A heading, and the text on its line; continuation lines are indented further. */
  | { readonly heading: string; readonly beside?: string }
  /** A paragraph. */
  | { readonly text: string }
  /** One entry, indented; continuation lines are indented further. */
  | { readonly entry: string; readonly indent: string }
  /** Two columns. */
  | { readonly rows: readonly HelpRow[] }
  /** Shell lines below a comment. */
  | { readonly example: HelpExample };

export type HelpRow = readonly [term: string, text: string];

interface HelpExample {
  readonly line: string;
  readonly note?: string;
  readonly before?: string;
}

/** Maximum width of help, in columns. */
const maxWidth = 100;
const minWidth = 40;

/** The width of help, in columns, for a terminal of that width; undefined for no terminal. */
export function helpWidth(columns: number | undefined): number {
  return Math.max(minWidth, Math.min(columns ?? maxWidth, maxWidth));
}

/** Wraps a help page to a width in columns. */
export function layOut(page: HelpPage, width = maxWidth): string {
  return helpLines(page, width)
    .map(({ text }) => `${text}\n`)
    .join("");
}

/** A line of a help text. */
interface HelpLine {
  readonly text: string;
  /** How much of its beginning is a heading. */
  readonly heading: number;
}

export function helpLines(page: HelpPage, width: number): HelpLine[] {
  return page.flatMap((block) => {
    const heading = typeof block !== "string" && "heading" in block ? block.heading.length + 1 : 0;
    const lines = linesOf(block, width).flatMap((line) => line.split("\n"));
    return lines.map((text, index) => ({ text, heading: index === 0 ? heading : 0 }));
  });
}

function linesOf(block: HelpBlock, width: number): readonly string[] {
  if (typeof block === "string") return [block];
  if ("heading" in block) return hanging("", `${block.heading}:${block.beside ? ` ${block.beside}` : ""}`, width);
  if ("text" in block) return wrap(block.text, width);
  if ("entry" in block) return hanging(block.indent, block.entry, width);
  return "rows" in block ? columns(block.rows, width) : exampleLines(block.example, width);
}

/** A long line is continued after a backslash, so that it still works when pasted into a shell. */
function exampleLines({ line, note, before }: HelpExample, width: number): string[] {
  const comment = note === undefined ? [] : wrap(note, width - "  # ".length).map((text) => `  # ${text}`);
  const typed = before === undefined ? [`forgectl ${line}`] : [before, `forgectl ${line}`];
  return [...comment, ...typed.map((each) => shellLine(each, width))];
}

/** A shell line; a long one continues after a backslash. */
export function shellLine(line: string, width: number): string {
  if (line.length + "  ".length <= width) return `  ${line}`;
  return `  ${fill(unitsOf(line), width - "    ".length - " \\".length).join(" \\\n    ")}`;
}

/** The words of a shell line, each flag together with its value: the units that are not split across lines. */
function unitsOf(line: string): string[] {
  return line.match(/(?:-\S+ (?!-))?(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'])+/g) ?? [];
}

const descriptionColumn = 34;

/** Two columns; a term too long for its column gets a line of its own. */
function columns(rows: readonly HelpRow[], width: number): string[] {
  const longest = Math.max(0, ...rows.map(([term]) => term.length));
  const indent = Math.min(longest + 4, descriptionColumn, Math.floor(width / 2));
  return rows.flatMap(([term, text]) => {
    const [first = "", ...rest] = wrap(text, width - indent);
    const continued = rest.map((line) => " ".repeat(indent) + line);
    const fits = term.length + 4 <= indent;
    return fits
      ? [`  ${term.padEnd(indent - 2)}${first}`.trimEnd(), ...continued]
      : [...hanging("  ", term, width), " ".repeat(indent) + first, ...continued];
  });
}

/** A long line continues on the next, indented further. */
function hanging(indent: string, text: string, width: number): string[] {
  const room = width - indent.length;
  if (text.length <= room) return [indent + text];
  return wrap(text, room - 4).map((line, index) => `${indent}${index === 0 ? "" : "    "}${line}`);
}

/** Lines of at most `width` columns, except for words that are longer. */
export function wrap(text: string, width: number): string[] {
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
