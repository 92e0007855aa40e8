import { UsageError } from "../base/errors.ts";
import { counted } from "../base/wording.ts";
import type { Context } from "../context.ts";
import { confirm } from "../verbs/confirm.ts";
import { originText } from "./finding.ts";
import type { Change } from "./kind.ts";
import type { SharedList } from "./patterns/shared-lists.ts";
import { isRemoval, isWrite, listOf, type Plan } from "./plan.ts";
import { addressOfChange } from "./row.ts";

export interface Guards {
  /** `30%`, `12`, or `all`: how much of a list may be removed; undefined for the default limits. */
  readonly maxDelete: string | undefined;
  readonly allowLockout: boolean;
}

/** For lists of at least this many entries the limit is a percentage, for shorter ones a number. */
const longList = 10;
const usualShare = 30;
const usualCount = 3;

/** Refuses what `--yes` does not permit: removing too much at once, and locking out the caller. */
export function refuseGuarded(plan: Plan, guards: Guards): void {
  const problem = problemOf(plan, guards);
  if (problem !== undefined) throw problem;
}

/** Says in a plan what an apply of it would refuse: who reviews it is often not who applies it. */
export function warnGuarded(context: Pick<Context, "warn">, plan: Plan): void {
  const problem = problemOf(plan, { maxDelete: undefined, allowLockout: false });
  if (problem === undefined) return;
  const { reason, hint } = problem.details;
  context.warn(`apply would refuse this: ${problem.message}${reason === undefined ? "" : ` (${reason})`}; ${hint}`);
}

function problemOf(plan: Plan, { maxDelete, allowLockout }: Guards): UsageError | undefined {
  return removalProblem(plan, maxDelete) ?? (allowLockout ? undefined : lockoutProblem(plan));
}

function lockoutProblem(plan: Plan): UsageError | undefined {
  const sure = plan.changes.filter(({ lockout }) => lockout?.certain === true);
  const [first] = sure;
  if (first === undefined) return undefined;
  return new UsageError(`${sure.map(addressOfChange).join(", ")}: ${first.lockout?.reason}`, {
    code: "lockout",
    hint: "add --allow-lockout if this is intended",
  });
}

/** However long the lists of patterns are together. */
const usualTotal = 100;

function removalProblem({ changes, pruned, shared }: Plan, maxDelete: string | undefined): UsageError | undefined {
  const counts = new Map<string, number>();
  for (const change of changes.filter(isRemoval)) counts.set(listOf(change), (counts.get(listOf(change)) ?? 0) + 1);
  const allows = boundOf(maxDelete);
  const over = [...counts].flatMap(([list, count]) => {
    const { size = count, origin } = pruned.get(list) ?? {};
    return allows(count, size) ? [] : [{ list, origin, share: `${count} of ${size}` }];
  });
  const wide = shared.filter(({ size, removals }) => {
    const isUsual = maxDelete !== undefined || removals <= usualTotal;
    return !isUsual || !allows(removals, size);
  });
  if (over.length + wide.length === 0) return undefined;
  const lists = [...wide.map(({ name }) => name), ...over.map(({ list }) => list)];
  return new UsageError(`too much would be removed from ${lists.join(", ")}`, {
    code: "too_many_removals",
    reason: [
      ...wide.map(sharedText),
      ...over.map(({ list, origin, share }) => `${origin ? `${originText(origin)}: ` : ""}${list}: ${share}`),
    ].join("; "),
    hint: "check the plan; if all of it is intended, add --max-delete all (or a number, or a share such as 50%)",
  });
}

/** `acme/** allowlist (forge.yaml:4): 6 of 8 in 6 projects` */
function sharedText({ name, origin, size, removals, scopes, at }: SharedList): string {
  const place = origin === undefined ? "" : ` (${originText(origin)})`;
  return `${name}${place}: ${removals} of ${size} in ${counted(scopes, at)}`;
}

/** Parses the limit into a check of a count against a list's size. Any other form is a UsageError. */
function boundOf(maxDelete: string | undefined): (count: number, size: number) => boolean {
  if (maxDelete === undefined) {
    return (count, size) => (size >= longList ? count * 100 <= size * usualShare : count <= usualCount);
  }
  if (maxDelete === "all") return () => true;
  const [, number, percent] = /^(\d{1,9})(%?)$/.exec(maxDelete) ?? [];
  if (number === undefined || (percent === "%" && Number(number) > 100)) {
    throw new UsageError(`--max-delete: must be a share (30%), a number, or all, not "${maxDelete}"`);
  }
  return percent === "%" ? (count, size) => count * 100 <= size * Number(number) : (count) => count <= Number(number);
}

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
    return count === 0 ? [] : [`${count} ${text}`];
  });
  return parts.length === 0 ? "no change" : parts.join(", ");
}

/** `3 changes (2 to change, 1 to remove)`, `1 change`. */
function countedWrites(writes: readonly Change[]): string {
  const isPlain = writes.every(({ action }) => action === "update");
  return isPlain ? plural(writes.length) : `${plural(writes.length)} (${countWords(writes)})`;
}

function plural(count: number): string {
  return count === 1 ? "1 change" : `${count} changes`;
}
