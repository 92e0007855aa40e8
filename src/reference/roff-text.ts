// The text of a man page where there is no `man`: of the few requests that this program's own pages use.

const width = 80;

/** A page as text of at most 80 columns, except for words that are longer. */
export function roffText(page: string): string {
  const lines = page.split("\n").filter((line) => !line.startsWith('.\\"'));
  const state: State = { out: [], words: [], margin: 0, indent: 0, isFilled: true, term: "none" };
  for (const line of lines) takeLine(state, line);
  flush(state);
  return `${state.out
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()}\n`;
}

interface State {
  out: string[];
  /** Of the paragraph that is not written yet. */
  words: string[];
  /** Columns before the text of a section, and before what `.RS` indents. */
  margin: number;
  indent: number;
  isFilled: boolean;
  /** Whether the next line is a term of `.TP`, or the text below it. */
  term: "none" | "next" | "below";
}

function takeLine(state: State, line: string): void {
  const [request = "", ...rest] = line.startsWith(".") ? line.split(" ") : [""];
  const text = plain(rest.join(" "));
  switch (request) {
    case ".TH":
      state.out.push(`${text.split(" ")[0]}(1)`);
      return;
    case ".SH":
    case ".SS":
      flush(state);
      state.out.push("", `${request === ".SS" ? "   " : ""}${text}`);
      state.margin = 7;
      state.term = "none";
      return;
    case ".PP":
      flush(state);
      state.term = "none";
      state.out.push("");
      return;
    case ".TP":
      flush(state);
      state.term = "next";
      return;
    case ".RS":
    case ".RE":
      flush(state);
      state.indent = request === ".RS" ? Number(rest[0]) : 0;
      return;
    case ".EX":
    case ".EE":
      flush(state);
      state.isFilled = request === ".EE";
      return;
    default:
      takeText(state, request === ".BR" ? text.replace(/ /, "") : request === "" ? plain(line) : text);
  }
}

function takeText(state: State, text: string): void {
  if (state.term === "next") {
    state.out.push(...wrapped(text.split(" "), " ".repeat(state.margin)));
    state.term = "below";
  } else if (state.isFilled) state.words.push(...text.split(" ").filter((word) => word !== ""));
  else state.out.push(`${" ".repeat(state.margin + state.indent)}${text}`);
}

/** Writes the paragraph. */
function flush({ out, words, margin, indent, term }: State): void {
  out.push(...wrapped(words.splice(0), " ".repeat(margin + indent + (term === "below" ? 7 : 0))));
}

function wrapped(words: readonly string[], before: string): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(before + word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** A text without escapes. */
function plain(text: string): string {
  return text
    .replace(/\\f[BIR]|\\&/g, "")
    .replace(/\\\[u([\dA-F]+)\]/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll("\\-", "-")
    .replaceAll("\\e", "\\");
}
