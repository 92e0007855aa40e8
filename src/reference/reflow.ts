import { wrap } from "../base/help-page.ts";

/** An item of a list, a quotation, or a plain line, with what stands before its text. */
const beginning = /^( *(?:[-*] |\d+\. |> )?)(.*)$/;
/** A heading, a row of a table, or an image or comment: a line of its own. */
const whole = /^ *(?:#|\||!\[|<)/;
const fence = /^ *```/;
/** A space before a word that would be read as the marker of an item if it began a line. */
const beforeMarker = / (?=(?:[-*>]|\d+\.) )/g;
const unbroken = "\u00a0";

/** A page in Markdown with its paragraphs filled to a width, in columns. Code and tables stay as they are. */
export function reflowed(page: string, width: number): string {
  const out: string[] = [];
  let paragraph: { before: string; words: string } | undefined;
  const end = () => {
    if (paragraph === undefined) return;
    const { before, words } = paragraph;
    const lines = wrap(words.replace(beforeMarker, unbroken), Math.max(1, width - before.length));
    const indent = " ".repeat(before.length);
    out.push(...lines.map((line, index) => (index === 0 ? before : indent) + line.replaceAll(unbroken, " ")));
    paragraph = undefined;
  };
  let isCode = false;
  for (const line of page.split("\n")) {
    const [, before = "", words = ""] = beginning.exec(line) ?? [];
    if (isCode || fence.test(line) || whole.test(line) || words === "") {
      end();
      out.push(line);
      if (fence.test(line)) isCode = !isCode;
    } else if (paragraph !== undefined && before.trim() === "") paragraph.words += ` ${words}`;
    else {
      end();
      paragraph = { before, words };
    }
  }
  end();
  return out.join("\n");
}
