import { parseEvents, YAMLException } from "js-yaml";
import { type Events, PackedEvents } from "./packed-events.ts";
import { TreeError } from "./tree.ts";

/** Texts shorter than this many characters have so few events that packing them would cost more than it saves. */
const smallText = 64 * 1024;

/** The parser's events for a text with at least one document; invalid YAML is a TreeError. */
export function readEvents(text: string): Events {
  const options = { maxDepth: 60, events: text.length < smallText ? [] : new PackedEvents() };
  const events = parsed(text, options);
  if (events.length === 0) throw new TreeError(1, "is empty", "leave the file out, or write a section");
  return events;
}

function parsed(text: string, options: Parameters<typeof parseEvents>[1]): Events {
  try {
    return parseEvents(text, options);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error as YAMLException;
    const hint = /tab/.test(reason) ? "indent with spaces" : undefined;
    throw new TreeError((mark?.line ?? 0) + 1, `is not YAML: ${reason}`, hint);
  }
}
