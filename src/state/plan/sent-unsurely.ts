import { isObject } from "../../base/is-object.ts";
import { type Change, fieldOf } from "../kind.ts";
import { sentAsRead } from "../live/field-changes.ts";
import type { Recalled } from "../runs/recent-writes.ts";

/**
 * The change, or that it cannot be made now: what it sends along as it is shown may be what was there before another
 * change, which it would set back.
 */
export function unlessSentUnsurely(change: Change, recalled: Recalled | undefined): Change {
  const open = [...sentAsRead(change), ...change.write.flatMap((name) => keysAlong(change, name))].filter((path) =>
    recalled?.unsure.includes(path.replace(/\..*/s, "")),
  );
  if (open.length === 0) return change;
  const reason =
    `${open.join(", ")} must be sent along, and may have been changed a moment ago: ` +
    "declare it too, or wait for a minute";
  return { ...change, action: "unreadable", fields: [], write: [], lockout: undefined, reason };
}

/** The keys of a hash that are not declared, and are sent along. */
function keysAlong({ kind, desired, live }: Change, name: string): string[] {
  if (desired?.whole) return [];
  const [declared, held] = [desired?.values[name], live?.values[name]];
  if (fieldOf(kind, name).form !== "hash" || !isObject(declared) || !isObject(held)) return [];
  return Object.keys(held).flatMap((key) => (Object.hasOwn(declared, key) ? [] : [`${name}.${key}`]));
}
