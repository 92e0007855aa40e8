import type { HelpPage, HelpRow } from "./help-page.ts";

type Block = { text: string } | { rows: HelpRow[] } | "";

/**
 * The blocks of a help topic, to be wrapped to a width: a topic is written as it looks in 100 columns. An indented line
 * is a row, its term two spaces before its description; deeper lines continue it. The others are paragraphs.
 */
export function topicPage(topic: string): HelpPage {
  const blocks: Block[] = [];
  for (const line of topic.trimEnd().split("\n")) addLine(blocks, line);
  return blocks;
}

/** Terms are indented by two columns, numbers by up to four. */
const rowStart = /^ {2}( {0,2}\S.*?)(?: {2,}(\S.*))?$/;

function addLine(blocks: Block[], line: string): void {
  const last = blocks.at(-1);
  const rows = typeof last === "object" && "rows" in last ? last.rows : undefined;
  const row = rowStart.exec(line) ?? undefined;
  if (line === "") blocks.push("");
  else if (row !== undefined) addRow(blocks, rows, [row[1] ?? "", row[2] ?? ""]);
  else if (rows !== undefined && line.startsWith(" ")) {
    const [term, text] = rows.pop() ?? ["", ""];
    rows.push([term, `${text} ${line.trim()}`.trim()]);
  } else if (typeof last === "object" && "text" in last) last.text += ` ${line}`;
  else blocks.push({ text: line.replace(/^ (?=\d)/, "") });
}

/** A row without a description, after one of the same kind, continues its term. */
function addRow(blocks: Block[], rows: HelpRow[] | undefined, row: HelpRow): void {
  const [term = "", text = "x"] = rows?.at(-1) ?? [];
  if (rows !== undefined && text === "" && term.endsWith(",")) rows[rows.length - 1] = [`${term} ${row[0]}`, row[1]];
  else if (rows !== undefined) rows.push(row);
  else blocks.push({ rows: [row] });
}
