import { whenFound } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { countWords } from "../../state/guard.ts";
import { addressOf } from "../../state/keys.ts";
import type { Change } from "../../state/kind.ts";
import { isWrite, type Plan } from "../../state/plan.ts";
import { planRow } from "../../state/row.ts";
import { planColumns, planPassage } from "../../state/show.ts";
import type { View } from "../../terminal/view.ts";
import { asks } from "../../verbs/confirm.ts";
import { partial } from "./flags.ts";

export interface Shown {
  /** Exit 10 if apply with the same flags would send something. */
  readonly exitCode: boolean;
  /** Extra entries are differences too. */
  readonly countExtra: boolean;
}

/** A plan as its rows, with the counts on stderr. */
export function planView(context: Context, plan: Plan, { exitCode, countExtra }: Shown): View {
  const { changes, equal } = plan;
  const unreadable = changes.filter(({ action }) => action === "unreadable");
  const differing = changes.filter((change) => isWrite(change) || (countExtra && change.action === "extra"));
  return {
    rows: changes.map(planRow),
    columns: planColumns,
    passage: (row) => planPassage(row as never),
    until: async (printed) => {
      await printed;
      context.notice(summary(changes, equal));
      const rows = unreadable.map(({ scope, kind, reason }) => ({
        address: addressOf(scope, kind, ""),
        error: reason,
      }));
      if (rows.length > 0) throw partial(unreadableWords(rows.length), reasonsOf(rows));
    },
    exitCode: whenFound(exitCode, () => differing.length > 0),
  };
}

/** The most objects that a plan above a question shows. */
const maxAsked = 200;

/** Shows a plan on stderr before the question about it, as a table of it would. */
export function showBeforeAsking(context: Context, { changes }: Plan): void {
  if (!asks(context)) return;
  const rows = changes.filter(isWrite).map(planRow);
  for (const row of rows.slice(0, maxAsked)) {
    const { heading, text = "" } = planPassage(row);
    const lines = text === "" ? [] : text.split("\n").map((line) => `  ${line}`);
    context.notice([heading.join("  "), ...lines].join("\n"));
  }
  if (rows.length > maxAsked) context.notice(`and ${rows.length - maxAsked} more: state plan shows all`);
}

/** `3 to change, 1 extra; 17 as they should be`. */
export function summary(changes: readonly Change[], equal: number): string {
  const extra = changes.filter(({ action }) => action === "extra").length;
  const unreadable = changes.filter(({ action }) => action === "unreadable").length;
  const parts = [
    countWords(changes),
    ...(extra > 0 ? [`${extra} extra`] : []),
    ...(unreadable > 0 ? [`${unreadable} could not be read`] : []),
  ];
  return `${parts.join(", ")}; ${equal} as ${equal === 1 ? "it" : "they"} should be`;
}

export function unreadableWords(count: number): string {
  return `${count === 1 ? "one section" : `${count} sections`} could not be read or compared`;
}

export function reasonsOf(rows: readonly { address: string; error: string | undefined }[]): { reason: string } {
  const reasons = rows.slice(0, 5).map(({ address, error }) => `${address}: ${error}`);
  const more = rows.length > 5 ? `; and ${rows.length - 5} more` : "";
  return { reason: `${reasons.join("; ")}${more}` };
}
