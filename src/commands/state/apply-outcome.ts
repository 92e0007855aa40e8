import { commandLine } from "../../base/shell-words.ts";
import { counted } from "../../base/wording.ts";
import type { Context } from "../../context.ts";
import type { Outcome } from "../../state/apply/apply.ts";
import { unverified } from "../../state/apply/result.ts";
import { printUndo } from "../../verbs/undo.ts";
import { partial } from "./flags.ts";
import { uncomparedText, unreadableWords } from "./plan-view.ts";

/** What a rollback may have to restore; `not_taken` may still take effect. */
const mayBeMade: ReadonlySet<Outcome["status"]> = new Set(["done", "altered", "not_taken", "unknown"]);
export const isMade = ({ status }: Outcome) => status === "done" || status === "unchanged";

interface Judged {
  /** The recorded run. */
  readonly run: string;
  /** A file with a record of it, too. */
  readonly record?: string | undefined;
  /** The command that completes the rest, as typed after the program's name. */
  readonly again: readonly string[];
  /** How many sections or entries could not be read. */
  readonly unreadable: number;
  /** How many declared secrets were neither compared nor sent. */
  readonly uncompared: number;
  /** What the run could not restore in any case. */
  readonly lost?: string | undefined;
}

/** Ends an apply: its notices, or the error that names what is left. */
export function judge(context: Context, outcomes: readonly Outcome[], how: Judged): void {
  const open = outcomes.filter((outcome) => !isMade(outcome));
  const done = outcomes.length - open.length;
  const { again, run, unreadable, lost, record } = how;
  // In a job the state folder goes with the machine, the record is kept.
  const undo = ["state", "rollback", record ?? run];
  const unseen = outcomes.find(({ status, failure }) => status === "done" && failure !== undefined)?.failure;
  if (unseen !== undefined && open.length === 0) {
    const others = unreadable > 0 ? unreadableWords(unreadable) : undefined;
    const reasons = [unseen.details.reason, others, lost].filter((part) => part !== undefined);
    throw unseen.with({
      ...(reasons.length > 0 && { reason: reasons.join("; ") }),
      outcomeText: `${done === 1 ? "the change was" : `${done} changes were`} made; run ${run}`,
    });
  }
  if (open.length === 0 && unreadable === 0 && lost === undefined) {
    context.closing([madeText(outcomes), ...uncomparedText(how.uncompared)].join("; "));
    if (outcomes.some(({ status }) => status === "done")) printUndo(context, commandLine(undo));
    return;
  }
  const isOpen = open.some(({ status }) => status === "unknown");
  const rest = isOpen
    ? `forgectl ${commandLine(again)}    # in a minute, as what is unknown may still be made: only the rest is sent`
    : `forgectl ${commandLine(again)}    # after fixing the cause: only the rest is sent`;
  const isCached = open.some(({ status, change }) => status === "unknown" && change.kind.cached !== undefined);
  const back = isCached
    ? `forgectl ${commandLine(undo)}    # in three minutes: restores the previous state`
    : isOpen
      ? `forgectl ${commandLine(undo)}    # in a minute, too: restores the previous state`
      : `forgectl ${commandLine(undo)}    # restores the previous state`;
  const hints = [
    ...(open.length + unreadable === 0 ? [] : [rest]),
    ...(outcomes.some(({ status }) => mayBeMade.has(status)) ? [back] : []),
  ];
  const hint = hints.length > 0 && { hint: hints.join("\n") };
  const ended = outcomes.find(({ failure }) => failure?.exit === "interrupted")?.failure;
  const single = ended ?? (outcomes.length === 1 ? outcomes[0]?.failure : undefined);
  const outcomeText = `${done} done${verifiedText(outcomes)}; run ${run}`;
  if (single !== undefined) throw single.with({ outcomeText, ...hint });
  const parts = [
    ...(open.length > 0 ? [`${open.length} of ${outcomes.length} changes were not made${doubtOf(open)}`] : []),
    ...(unreadable > 0 ? [unreadableWords(unreadable)] : []),
    ...(lost === undefined ? [] : [lost]),
  ];
  throw partial(parts.join("; "), { outcomeText, ...hint });
}

function madeText(outcomes: readonly Outcome[]): string {
  const made = outcomes.filter(({ status }) => status === "done").length;
  const already = outcomes.length - made;
  const text = made > 0 ? `${counted(made, "change")} made${verifiedText(outcomes)}` : "nothing was sent";
  return already > 0 ? `${text}; ${already} made by another user meanwhile` : text;
}

/** Follows the number of changes that were made: what cannot be read back is never called verified. */
function verifiedText(outcomes: readonly Outcome[]): string {
  const made = outcomes.filter(({ status }) => status === "done");
  const reasons = made.flatMap(({ change }) => unverified(change) ?? []);
  if (reasons.length === 0) return " and verified";
  const verified = made.length > reasons.length ? `, ${made.length - reasons.length} verified` : "";
  return `${verified}; not verified: ${[...new Set(reasons)].join("; ")}`;
}

function doubtOf(open: readonly Outcome[]): string {
  const count = (wanted: Outcome["status"]) => open.filter(({ status }) => status === wanted).length;
  const [altered, unknown] = [count("altered"), count("unknown")];
  const stored = altered === 0 ? "" : `, or not as planned: the instance stored something else for ${altered}`;
  return unknown === 0 ? stored : `${stored}, or not verified: ${unknown} may have been made`;
}
