import { obeyedAnywhere } from "../../base/ci.ts";
import { isObject } from "../../base/is-object.ts";
import { unshown } from "../../base/shell-words.ts";

/** A value of an exported file with a comment behind it. */
export class Commented {
  readonly value: string | number;
  readonly comment: string;

  constructor(value: string | number, comment: string) {
    this.value = value;
    this.comment = comment;
  }
}

/** Marks the entries after it in an exported mapping by a comment of its own line. */
export class Remark {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Formats values as YAML, with the comments among them. */
export async function toCommentedYaml(content: object): Promise<string> {
  const { toStateYaml } = await import("./yaml.ts");
  const comments: (Commented | Remark)[] = [];
  // A text that no instance can answer marks the place of a comment.
  const mark = `comment-${crypto.randomUUID()}`;
  const marked = (value: unknown): unknown => {
    if (value instanceof Commented || value instanceof Remark) return `${mark}-${comments.push(value) - 1}-`;
    if (Array.isArray(value)) return value.map(marked);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => {
        const text = marked(each);
        return [each instanceof Remark ? text : name, text];
      }),
    );
  };
  const yaml = toStateYaml(marked(content) as object);
  if (comments.length === 0) return yaml;
  const textOf = (index: string) => commentText(comments[Number(index)]);
  return yaml
    .replace(new RegExp(`"?${mark}-(\\d+)-"?: "?${mark}-\\d+-"?`, "g"), (_, index: string) => textOf(index))
    .replace(new RegExp(`"?${mark}-(\\d+)-"?`, "g"), (_, index: string) => textOf(index));
}

function commentText(comment: Commented | Remark | undefined): string {
  if (comment instanceof Remark) return `# ${oneLine(comment.text).slice(0, maxComment)}`;
  return comment === undefined
    ? ""
    : `${JSON.stringify(comment.value)} # ${oneLine(comment.comment).slice(0, maxComment)}`;
}

const maxComment = 200;
const everyUnshown = new RegExp(`${unshown.source}+`, "gu");

/**
 * A comment's text. Names come from the instance, reasons from files: none may end the comment, reorder it for a
 * reader, or be obeyed by the runner of a CI job.
 */
export function oneLine(text: string): string {
  return text.replace(everyUnshown, " ").replace(obeyedAnywhere, "##'");
}
