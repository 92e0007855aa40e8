import { type Event, parseEvents, YAMLException } from "js-yaml";
import { commentBefore } from "./json-comment.ts";
import { TreeError } from "./tree.ts";

/**
 * Maximum nodes of a file: the parser's events for that number take up to 800 MB of memory. It has no more lines
 * either: the parser takes a text of several lines apart.
 */
const maxNodes = 2_000_000;

/** The parser's events for a text with at least one document; invalid YAML is a TreeError. */
export function readEvents(text: string): readonly Event[] {
  if (hasTooManyIndicators(text)) throw tooMany(1, "may contain", "values");
  if (isMoreThanAllowed(text, /\r\n?|\n/g)) throw tooMany(1, "has", "lines");
  const events = parsed(text);
  if (events.length === 0) throw new TreeError(1, "is empty", "leave the file out, or write a section");
  return events;
}

/** Throws if a file has more nodes than are allowed. */
export function refuseTooMany(nodes: number, line: () => number): void {
  if (nodes > maxNodes) throw tooMany(line(), "has", "values");
}

/**
 * Whether there are more indicators than nodes are allowed: the parser adds at most four events for one of them. An
 * indicator within a text counts too.
 */
function hasTooManyIndicators(text: string): boolean {
  return isMoreThanAllowed(text, /[,:[{]|[-?](?=\s)|[\r\n](?:---|\.\.\.)/g);
}

/** @param sought a global pattern that matches at least one character */
function isMoreThanAllowed(text: string, sought: RegExp): boolean {
  if (text.length <= maxNodes) return false;
  let count = 0;
  while (count <= maxNodes && sought.test(text)) count += 1;
  return count > maxNodes;
}

function tooMany(line: number, has: string, what: "values" | "lines"): TreeError {
  const most = maxNodes.toLocaleString("en-US");
  return new TreeError(line, `${has} more than ${most} ${what}`, "split it into several files");
}

function parsed(text: string): Event[] {
  try {
    return parseEvents(text, { maxDepth: 60 });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error as YAMLException;
    const line = (mark?.line ?? 0) + 1;
    const hint = /tab/.test(reason) ? "indent with spaces" : undefined;
    throw commentBefore(text, line) ?? new TreeError(line, `is not YAML: ${reason}`, hint);
  }
}

/** Returns the line of an offset, counted from 1. */
export function linesIn(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

/** The offset of an event in the text. */
export function startOf(event: Event): number {
  return "valueStart" in event ? event.valueStart : "start" in event ? event.start : 0;
}
