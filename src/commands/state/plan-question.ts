import { counted, groupDigits } from "../../base/wording.ts";
import type { Context } from "../../context.ts";
import type { Change } from "../../state/kind.ts";
import { isWrite, type Plan } from "../../state/plan/plan.ts";
import { addressOfChange } from "../../state/plan/plan-row.ts";
import { confirm } from "../../verbs/confirm.ts";

/** Asks once for all changes; if they can lock users out, the instance's host must be typed. */
export async function confirmPlan(context: Context, { changes }: Plan): Promise<void> {
  const writes = changes.filter(isWrite);
  const host = new URL(context.config.baseUrl?.value ?? "").host;
  const risky = writes.filter(({ lockout }) => lockout !== undefined);
  const danger = risky.length === 0 ? "" : `, ${risky.map(addressOfChange).join(", ")} of which can lock users out`;
  await confirm(context, {
    action: `make ${countedWrites(writes)} on ${host}${danger}`,
    typed: risky.length === 0 ? undefined : host,
  });
}

const words: readonly [Change["action"], string][] = [
  ["create", "to create"],
  ["update", "to change"],
  ["replace", "to replace"],
  ["delete", "to remove"],
  ["disarm", "to disarm"],
];

/** `3 to change, 1 to remove`. */
export function countWords(changes: readonly Change[]): string {
  const parts = words.flatMap(([action, text]) => {
    const count = changes.filter((change) => change.action === action).length;
    return count === 0 ? [] : [`${groupDigits(count)} ${text}`];
  });
  return parts.length === 0 ? "no change" : parts.join(", ");
}

/** `3 changes (2 to change, 1 to remove)`, `1 change`. */
function countedWrites(writes: readonly Change[]): string {
  const number = counted(writes.length, "change");
  return writes.every(({ action }) => action === "update") ? number : `${number} (${countWords(writes)})`;
}
