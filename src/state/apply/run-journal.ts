import type { Context } from "../../context.ts";
import { hiddenBy, isStorable, unrecorded } from "../fields/secrecy.ts";
import { type Change, fieldOf, isReference, type Values } from "../kind.ts";
import { idOf } from "../live/compare.ts";
import { writtenAnew } from "../live/field-changes.ts";
import { snapshot } from "../plan/live-comparison.ts";
import { addressOfChange } from "../plan/plan-row.ts";
import { datesOf, type OpenRun, type RunEntry } from "../runs/runs.ts";
import { type Result, untouched } from "./result.ts";

/** The journal of a run: each change before something of it is sent, and its outcome. */
export class RunJournal {
  readonly #context: Context;
  readonly #run: OpenRun;
  readonly #numbers = new Map<Change, number>();
  /** The outcome that the journal has. */
  readonly #ended = new Map<Change, Result["status"]>();

  constructor(context: Context, run: OpenRun) {
    this.#context = context;
    this.#run = run;
  }

  /** Notes what is planned, before the first change. */
  async plan(changes: readonly Change[]): Promise<void> {
    const planned = untouched("not_tried", "the run ended before this change");
    await this.#run.note(
      ...changes.map((change) => ({ n: this.#number(change), planned: this.#entry(change, planned) })),
    );
  }

  async begin(change: Change): Promise<void> {
    const lost: Result = {
      status: "unknown",
      error: "the run ended during this change",
      live: undefined,
      failure: undefined,
    };
    await this.#run.note({ n: this.#number(change), begin: this.#entry(change, lost) });
  }

  /** Notes the outcomes that the journal does not have yet. */
  async end(results: readonly (Result & { readonly change: Change })[]): Promise<void> {
    const open = results.filter(({ change, status }) => this.#ended.get(change) !== status);
    if (open.length === 0) return;
    await this.#run.note(
      ...open.map(({ change, ...result }) => ({ n: this.#number(change), end: this.#entry(change, result) })),
    );
    for (const { change, status } of open) this.#ended.set(change, status);
  }

  #number(change: Change): number {
    const number = this.#numbers.get(change) ?? this.#numbers.size + 1;
    this.#numbers.set(change, number);
    return number;
  }

  #entry(change: Change, { status, error, live, only, along, isOpen }: Result): RunEntry {
    const { scope, kind, key, action } = change;
    const names = Object.keys(along?.now ?? {});
    // A read of a cached object may not show what another user has changed just before.
    const isSure = kind.cached === undefined;
    const touched = isSure ? { ...change, write: [...change.write, ...names] } : change;
    return {
      address: addressOfChange(change),
      at: scope.at,
      scope: scope.name,
      ...(scope.id !== undefined && { scope_id: scope.id }),
      kind: kind.name,
      key,
      id: change.id ?? idOf(live),
      action,
      status,
      error,
      before: snapshot(touched, change.live),
      after: snapshot(touched, live && { values: { ...live.values, ...along?.now } }),
      ...(!isSure &&
        along &&
        names.length > 0 && {
          along: snapshot({ ...change, write: names }, { values: along.before }),
          along_after: snapshot({ ...change, write: names }, { values: along.now }),
        }),
      sent: sentBy(change, only),
      ...(isOpen && { open: true }),
      secrets: [
        ...unrecorded({ ...change, write: writtenAnew(change) }),
        ...(along ? unrecorded({ ...change, live: { values: along.before }, write: names }) : []),
      ],
      hidden: hiddenBy(change),
      time: this.#context.now().toISOString(),
      ...datesOf(kind, (live ?? change.live)?.values),
    };
  }
}

/** The values that a change sends and that can be compared with what an object shows; null for a removal. */
function sentBy(change: Change, only: Result["only"]): Values | null {
  const { desired, write, action } = change;
  if (desired === undefined) return null;
  const entries = Object.entries(desired.values).filter(
    ([name, value]) =>
      // Headers hold secrets beside their names.
      fieldOf(change.kind, name).form !== "keys" &&
      !isReference(value) &&
      isStorable(change, name, value) &&
      (action !== "update" || write.includes(name)) &&
      only?.includes(name) !== false,
  );
  return Object.fromEntries(entries);
}
