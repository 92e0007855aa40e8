import { whenFound } from "../../base/errors.ts";
import { grouped } from "../../base/grouped.ts";
import { counted, someOf } from "../../base/wording.ts";
import type { Context } from "../../context.ts";
import { addressOf } from "../../state/keys.ts";
import type { Change } from "../../state/kind.ts";
import { isWrite, type Plan } from "../../state/plan/plan.ts";
import { addressOfChange, type PlanRow, planRow } from "../../state/plan/plan-row.ts";
import { fieldsText, planColumns, planPassage } from "../../state/plan/plan-row-view.ts";
import { markdownTable } from "../../terminal/reports/markdown.ts";
import { signsOf } from "../../terminal/signs.ts";
import type { RowsView, View } from "../../terminal/view.ts";
import { asks } from "../../verbs/confirm.ts";
import { partial } from "./flags.ts";
import { countWords } from "./plan-question.ts";
import { type PlanReport, writePlanReports } from "./reports.ts";

export interface Shown {
  /** Exit 10 if apply with the same flags would send something. */
  readonly exitCode: boolean;
  /** Extra entries are differences too. */
  readonly countExtra: boolean;
  readonly reports?: readonly PlanReport[];
  /** What no file names, and what of it could not be read. */
  readonly unmanaged?: readonly PlanRow[];
}

/** A plan as its rows, with the counts on stderr. */
export function planView(
  context: Context,
  plan: Plan,
  { exitCode, countExtra, reports = [], unmanaged = [] }: Shown,
): View {
  const { changes } = plan;
  const unread = unmanaged.filter(({ action }) => action === "unreadable");
  const sum = () => summary(plan, unmanaged);
  const unreadable = changes.filter(({ action }) => action === "unreadable");
  const differing = changes.filter((change) => isWrite(change) || (countExtra && change.action === "extra"));
  const planned = changes.map(planRow);
  return {
    rows: [...planned, ...unmanaged],
    columns: planColumns,
    passage: passages(changes),
    markdown: (rows) => planMarkdown(rows as readonly PlanRow[], sum()),
    finishes: true,
    until: async (printed) => {
      await printed;
      const rowsOfPlan = [...differing, ...unreadable].map(planRow);
      const addresses = new Set(unreadable.map(addressOfChange));
      // What could not be read for the plan cannot be read for --unmanaged either.
      const others = unread.filter(({ address }) => !addresses.has(address));
      const open = [...rowsOfPlan, ...others].map((row) => ({ row, error: null }));
      await writePlanReports(context, reports, { planned, open });
      context.notice(sum());
      const rows = unreadable.map(({ scope, kind, reason }) => ({
        address: addressOf(scope, kind, ""),
        error: reason,
      }));
      for (const { address, reason } of unread) rows.push({ address, error: reason ?? undefined });
      if (rows.length > 0) throw partial(unreadableWords(rows.length), reasonsOf(rows));
    },
    exitCode: whenFound(exitCode, () => differing.length > 0),
  };
}

/** Rows as diffs; a reason that the row before has too is not repeated. */
function passages(changes: readonly Change[]): NonNullable<RowsView["passage"]> {
  const passage = passageOf(changes);
  let before: string | null = null;
  return (each, signs) => {
    const row = each as PlanRow;
    const isRepeated = row.action === "unreadable" && row.reason === before;
    before = row.reason;
    return isRepeated ? { ...passage(row, signs), beside: "for the same reason" } : passage(row, signs);
  };
}

/** The passage of a row; one of a list of projects or groups, whose key is an ID, has the path of what is removed. */
function passageOf(changes: readonly Change[]): typeof planPassage {
  const paths = new Map(changes.map((change) => [addressOfChange(change), pathOf(change)]));
  return (row, signs) => {
    const passage = planPassage(row, signs);
    const [first = "", ...place] = passage.heading;
    const path = paths.get(row.address);
    return path === undefined ? passage : { ...passage, heading: [`${first} (${path})`, ...place] };
  };
}

function pathOf({ kind, live }: Change): string | undefined {
  const path = kind.target === undefined ? undefined : (live?.values.path_with_namespace ?? live?.values.full_path);
  return typeof path === "string" ? path : undefined;
}

/** The plan for a note: a table with a row for each object. */
function planMarkdown(rows: readonly PlanRow[], title: string): string {
  return markdownTable({
    title,
    columns: ["address", "action", "changes", "notes", "declared"],
    rows: rows.map(({ address, action, fields, lockout, reason, file, line }) => [
      address,
      action,
      fieldsText(fields),
      [lockout === null ? null : `! ${lockout}`, reason].filter((note) => note !== null).join("; "),
      file === null || file === "" ? null : `${file}:${line}`,
    ]),
  });
}

/** The most objects that a plan above a question shows. */
const maxAsked = 200;

function warnUnrestored(context: Context, changes: readonly Change[], lost: string | undefined): void {
  const texts = grouped(changes, (change) => unrestored(change, lost) ?? "");
  texts.delete("");
  for (const [text, found] of texts) context.warn(`${someOf(found.map(addressOfChange))}: ${text}`);
}

/** What no rollback restores; what a rollback itself loses, it says at its end. */
function unrestored(change: Change, lost: string | undefined): string | undefined {
  const { action, kind } = change;
  if (action === "delete") return kind.unrestored && change.reason;
  return action === "update" && lost === undefined ? kind.loses?.(change) : undefined;
}

/**
 * Shows a plan on stderr before the question about it, as a table of it would. Without a question, it says only what no
 * rollback restores.
 */
export async function showBeforeAsking(context: Context, { changes }: Plan, lost: string | undefined): Promise<void> {
  if (!asks(context)) {
    warnUnrestored(context, changes, lost);
    return;
  }
  const rows = changes.filter(isWrite).map(planRow);
  const passage = passageOf(changes);
  const { plainPassage } = await import("../../terminal/render/passage.ts");
  for (const row of rows.slice(0, maxAsked)) {
    for (const line of await plainPassage(passage(row, signsOf(context.env)), context)) context.notice(line);
  }
  if (rows.length > maxAsked) context.notice(`and ${rows.length - maxAsked} more: state plan shows all`);
}

/** `3 to change, 1 extra; 17 objects match; 2 secrets not compared`. */
export function summary({ changes, equal, uncompared = 0 }: Plan, beside: readonly PlanRow[] = []): string {
  const extra = changes.filter(({ action }) => action === "extra").length;
  const unreadable = [...changes, ...beside].filter(({ action }) => action === "unreadable").length;
  const unmanaged = beside.filter(({ action }) => action === "unmanaged").length;
  const parts = [
    countWords(changes),
    ...(extra > 0 ? [`${extra} extra`] : []),
    ...(unmanaged > 0 ? [`${unmanaged} unmanaged`] : []),
    ...(unreadable > 0 ? [`${unreadable} could not be read`] : []),
  ];
  const matching = `${counted(equal, "object")} ${equal === 1 ? "matches" : "match"}`;
  return [parts.join(", "), matching, ...uncomparedText(uncompared)].join("; ");
}

/** A secret that the instance has may be another than the declared one. */
export function uncomparedText(count: number): string[] {
  return count > 0 ? [`${counted(count, "secret")} not compared`] : [];
}

export function unreadableWords(count: number): string {
  return `${count === 1 ? "one section" : `${count} sections`} could not be read or compared`;
}

export function reasonsOf(rows: readonly { address: string; error: string | undefined }[]): { reason: string } {
  const shown = rows.slice(0, 5);
  const errors = [...new Set(shown.map(({ error }) => error))];
  const reasons = errors.map((error) => {
    const addresses = shown.filter((row) => row.error === error).map(({ address }) => address);
    return `${addresses.join(", ")}: ${error}`;
  });
  const more = rows.length > 5 ? `; and ${rows.length - 5} more` : "";
  return { reason: `${reasons.join("; ")}${more}` };
}
