import { isObject } from "../base/is-object.ts";

/** A value of an exported file with a comment behind it. */
export class Noted {
  readonly value: string | number;
  readonly note: string;

  constructor(value: string | number, note: string) {
    this.value = value;
    this.note = note;
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
export async function toNotedYaml(content: object): Promise<string> {
  const { toYaml } = await import("./yaml.ts");
  const notes: (Noted | Remark)[] = [];
  // A text that no instance can answer marks the place of a comment.
  const mark = `note-${crypto.randomUUID()}`;
  const marked = (value: unknown): unknown => {
    if (value instanceof Noted || value instanceof Remark) return `${mark}-${notes.push(value) - 1}-`;
    if (Array.isArray(value)) return value.map(marked);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => {
        const text = marked(each);
        return [each instanceof Remark ? text : name, text];
      }),
    );
  };
  const yaml = toYaml(marked(content) as object);
  if (notes.length === 0) return yaml;
  const noteOf = (index: string) => notes[Number(index)];
  return yaml
    .replace(new RegExp(`"?${mark}-(\\d+)-"?: "?${mark}-\\d+-"?`, "g"), (_, index: string) => comment(noteOf(index)))
    .replace(new RegExp(`"?${mark}-(\\d+)-"?`, "g"), (_, index: string) => comment(noteOf(index)));
}

function comment(note: Noted | Remark | undefined): string {
  if (note instanceof Remark) return `# ${oneLine(note.text).slice(0, maxNote)}`;
  return note === undefined ? "" : `${JSON.stringify(note.value)} # ${oneLine(note.note).slice(0, maxNote)}`;
}

const maxNote = 200;

/** A comment's text. Names come from the instance, reasons from files: none may end the comment. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}
