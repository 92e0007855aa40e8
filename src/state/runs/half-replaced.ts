import type { Context } from "../../context.ts";
import type { Section, Values } from "../kind.ts";
import { runsSince } from "./recorded-runs.ts";
import { type Run, type RunEntry, rollbackOf, type Status } from "./runs.ts";

/** How long a replacement that a run did not finish counts: what other commands did since is not recorded. */
const countsMs = 7 * 24 * 3600 * 1000;

/** The same where the new object was seen, and the lost first removal may take it. */
const mayGoMs = 10 * 60 * 1000;

/** Nothing was sent, or what was there has been restored. */
const untouched: ReadonlySet<Status> = new Set(["unchanged", "refused", "stale", "unreadable", "skipped", "not_tried"]);

/** A change, and what the run that made it is. */
interface Recorded {
  readonly entry: RunEntry;
  readonly by: Pick<Run, "run" | "what">;
}

/** What runs of this machine removed in order to add it again, and may not have added. */
export class HalfReplaced {
  readonly #context: Context;
  /** Read once, and only if it is asked for. */
  #entries: Promise<Recorded[]> | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  /** The values that the objects of a list had, by their keys. */
  async of({ kind, scope }: Pick<Section, "kind" | "scope">): Promise<ReadonlyMap<string, Values>> {
    this.#entries ??= this.#read();
    const found = new Map<string, Values>();
    /** What a run took over, by its ID and the key. */
    const taken = new Map<string, Values>();
    const nowMs = this.#context.now().getTime();
    for (const { entry, by } of await this.#entries) {
      const { key } = entry;
      const hasGone = entry.after === null || nowMs - Date.parse(entry.time ?? "") < mayGoMs;
      const isHere =
        entry.scope_id === undefined || scope.id === undefined
          ? entry.scope === scope.name
          : entry.scope_id === scope.id;
      if (entry.kind !== kind.name || entry.at !== scope.at || !isHere || untouched.has(entry.status)) continue;
      if (entry.action === "replace" && entry.status !== "done" && entry.before !== null && hasGone)
        found.set(key, { ...entry.before, ...entry.sent, ...entry.after });
      else if (entry.action === "create") {
        const values = found.get(key);
        if (values !== undefined) taken.set(`${by.run} ${key}`, values);
        if (entry.status === "done") found.delete(key);
      } else {
        // Without the run that took it over, it is as that run found it.
        const undone = by.what.startsWith(rollbackOf) ? by.what.slice(rollbackOf.length) : undefined;
        const before = entry.action === "delete" ? taken.get(`${undone} ${key}`) : undefined;
        if (before === undefined) found.delete(key);
        else found.set(key, before);
      }
    }
    return found;
  }

  /** In the order of the runs. */
  async #read(): Promise<Recorded[]> {
    const context = this.#context;
    const runs = await runsSince(context, new Date(context.now().getTime() - countsMs));
    return runs.toReversed().flatMap((by) => by.entries.map((entry) => ({ entry, by })));
  }
}
