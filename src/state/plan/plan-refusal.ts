import { UsageError } from "../../base/errors.ts";
import { counted } from "../../base/wording.ts";
import type { Context } from "../../context.ts";
import { originText } from "../finding.ts";
import type { SharedList } from "../patterns/shared-lists.ts";
import { isRemoval, listOf, type Plan } from "./plan.ts";
import { addressOfChange } from "./plan-row.ts";

/** What a caller permits besides what `--yes` does. */
export interface PlanLimits {
  /** `30%`, `12`, or `all`: how much of a list may be removed; undefined for the default limits. */
  readonly maxDelete: string | undefined;
  readonly allowLockout: boolean;
}

/** For lists of at least this many entries the limit is a percentage, for shorter ones a number. */
const longList = 10;
const usualShare = 30;
const usualCount = 3;

/** Refuses what `--yes` does not permit: removing too much at once, and locking out the caller. */
export function refusePlan(plan: Plan, limits: PlanLimits): void {
  const problem = problemOf(plan, limits);
  if (problem !== undefined) throw problem;
}

/** Says in a plan what an apply of it would refuse: who reviews it is often not who applies it. */
export function warnOfRefusal(context: Pick<Context, "warn">, plan: Plan): void {
  const problem = problemOf(plan, { maxDelete: undefined, allowLockout: false });
  if (problem === undefined) return;
  const { reason, hint } = problem.details;
  context.warn(`apply would refuse this: ${problem.message}${reason === undefined ? "" : ` (${reason})`}; ${hint}`);
}

function problemOf(plan: Plan, { maxDelete, allowLockout }: PlanLimits): UsageError | undefined {
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
