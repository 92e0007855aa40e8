import type { Event, YAMLException } from "js-yaml";

export type { Event } from "js-yaml";
export type YamlModule = typeof import("js-yaml");

/** A file that is not one YAML document as a state file may be written; the line is from 1. */
export class TreeError extends Error {
  readonly line: number;
  readonly hint: string | undefined;

  constructor(line: number, message: string, hint?: string) {
    super(message);
    this.name = "TreeError";
    this.line = line;
    this.hint = hint;
  }
}

/** The parser's events of a text with exactly one document; what is not YAML is a TreeError. */
export function readEvents(yaml: YamlModule, text: string, lineAt: (offset: number) => number): Event[] {
  const events = parsed(yaml, text);
  const documents = events.filter(({ type }) => type === yaml.EVENT_ID.DOCUMENT).length;
  if (documents > 1) {
    const second = /\n(?:---|\.\.\.)/.exec(text.replace(/^---/, ""));
    const line = lineAt((second?.index ?? 0) + 2);
    throw new TreeError(line, `has ${documents} documents; one is allowed`, "write each to a file of its own");
  }
  if (documents === 0) throw new TreeError(1, "is empty", "leave the file out, or write a section");
  return events;
}

function parsed(yaml: YamlModule, text: string): Event[] {
  try {
    return yaml.parseEvents(text, { maxDepth: 60 });
  } catch (error) {
    if (!(error instanceof yaml.YAMLException)) throw error;
    const { reason, mark } = error as YAMLException;
    const hint = /tab/.test(reason) ? "indent with spaces" : undefined;
    throw new TreeError((mark?.line ?? 0) + 1, `is not YAML: ${reason}`, hint);
  }
}
