import type { Context, InnerCommand } from "../../context.ts";
import { beginJobRun, type JobRun, openRunJournal } from "../../jobs/job-run.ts";
import { type Journal, type JournalHead, openJournal } from "../../jobs/journal.ts";
import { headOf, headOfMany } from "../../jobs/journal-head.ts";
import { withNames } from "../../jobs/task-ids.ts";
import { namesRead } from "../../state/files/sources.ts";
import type { Asked } from "./request.ts";
import type { Instances, Place } from "./scopes.ts";
import type { ScopeKind } from "./sources.ts";

/** What the journal of a run belongs to. */
export async function headOfRun(
  context: Context,
  instances: Instances,
  { command, inner, kind }: { command: string; inner: InnerCommand; kind: ScopeKind | undefined },
) {
  const reads = await namesRead(context, inner.reads);
  const used = { reads, registry: inner.registry, defaults: kind === undefined ? defaultsOf(instances) : undefined };
  const named = [...instances].flatMap(([name, own]) => (name === undefined ? [] : [[name, own.context] as const]));
  return named.length === 0 ? headOf(context, command, used) : headOfMany(context, new Map(named), command, used);
}

/** Without a list, the project or group of each instance is not in the entries. */
function defaultsOf(instances: Instances): string | undefined {
  const all = [...instances].flatMap(([name, { inner }]) => {
    const [place] = Object.entries(inner.scope()).filter(([, text]) => text !== undefined);
    return place === undefined ? [] : [[...place, ...(name === undefined ? [] : ["of", name])].join(" ")];
  });
  return all.length === 0 ? undefined : all.join(" and ");
}

interface Recorded extends Pick<Asked, "run" | "recorded"> {
  /** Of the journal that was named. */
  readonly path: string | undefined;
}

/** The journal that was named, or that of the run that is resumed. */
export async function earlierJournal(
  context: Context,
  { path, run, recorded }: Recorded,
  { inner, head }: { inner: InnerCommand; head: () => Promise<JournalHead> },
): Promise<Journal | undefined> {
  if (path !== undefined) return openJournal(context, path, await head());
  if (run === undefined || !inner.changes) return undefined;
  const journal = await openRunJournal(context, run, await head());
  return { ...journal, seen: withNames(journal.seen, recorded) };
}

/** The new run of a change without a named journal. */
export async function begin(
  context: Context,
  { kept }: Asked,
  places: readonly Place[],
  inner: InnerCommand,
): Promise<JobRun | undefined> {
  return inner.changes && !context.config.dryRun ? beginJobRun(context, kept(places)) : undefined;
}
