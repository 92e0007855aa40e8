import type { Change } from "../kind.ts";
import { isSentAlong } from "../live/field-changes.ts";
import type { Recalled } from "../runs/recent-writes.ts";

/**
 * The change, or that it cannot be made now: what it sends along as it is shown may be what was there before another
 * change, which it would set back.
 */
export function unlessSentUnsurely(change: Change, recalled: Recalled | undefined): Change {
  const declared = change.desired?.values ?? {};
  const open = change.fields
    .filter((field) => isSentAlong(field) && !Object.hasOwn(declared, field.path))
    .flatMap(({ path }) => (recalled?.unsure.includes(path) ? [path] : []));
  if (open.length === 0) return change;
  const reason =
    `${open.join(", ")} must be sent along, and may have been changed a moment ago: ` +
    "declare it too, or wait for a minute";
  return { ...change, action: "unreadable", fields: [], write: [], lockout: undefined, reason };
}
