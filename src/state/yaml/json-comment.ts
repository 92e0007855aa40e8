import { TreeError } from "./tree.ts";

// Comments as other programs take them in JSON. A YAML parser reads them as a part of the next text, so that a key
// would silently be another one.

/** Characters of a line that are looked at. */
const maxLength = 1000;

/** Whether a text is written as JSON. */
export function isJson(text: string): boolean {
  return /^\s*(?:\{|\/[/*])/.test(text);
}

/** Whether a text without quotes begins with a comment, or is a value of JSON with a comment behind it. */
export function holdsComment(text: string): boolean {
  return /^(?:(?:true|false|null|[-+.\deE]{1,30})\s+)?\/[/*]/.test(text.slice(0, maxLength));
}

/** The comment that makes JSON no YAML: the first one up to the line of the error. */
export function commentBefore(text: string, line: number): TreeError | undefined {
  if (!isJson(text)) return undefined;
  const lines = text.split("\n", line);
  const at = lines.findIndex((each) => /(?:^|[\s,{}[\]])\/[/*]/.test(withoutTexts(each.slice(0, maxLength))));
  return at === -1 ? undefined : commentError(at + 1);
}

export function commentError(line: number): TreeError {
  return new TreeError(line, "has a comment, and JSON has none", "begin comments with #, and name the file .yaml");
}

function withoutTexts(line: string): string {
  return line.replace(/"(?:[^"\\]|\\(?:.|$))*(?:"|$)/gs, '""');
}
