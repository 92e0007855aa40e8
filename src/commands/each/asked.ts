import { UsageError } from "../../base/errors.ts";
import { commandLine } from "../../base/line.ts";
import type { Context } from "../../context.ts";
import { type JobRun, resumeJobRun } from "../../jobs/job-run.ts";
import { markOf, namesIn, type ScopeKind } from "./scopes.ts";

export interface Flags {
  readonly command?: readonly string[] | undefined;
  readonly projects_file?: string | undefined;
  readonly groups_file?: string | undefined;
  readonly journal?: string | undefined;
  readonly resume?: string | undefined;
}

/** What is to be done: as typed, or as an earlier run recorded it. */
export interface Asked {
  readonly kind: ScopeKind;
  readonly words: readonly string[];
  readonly names: readonly string[];
  /** The words without secrets; a hash distinguishes commands whose secrets differ. */
  readonly shown: string;
  /** The words have no secrets, so that a run can hold them. */
  readonly holdsWords: boolean;
  /** The run that is resumed. */
  readonly run: JobRun | undefined;
  /** What a new run keeps of it. */
  readonly kept: object;
}

/** In a recorded run: `words` are left out if one of them is secret. */
interface Kept {
  readonly job: "each";
  readonly kind: ScopeKind;
  readonly names: readonly string[];
  readonly words?: readonly string[];
  readonly mark: string;
}

export async function asked(context: Context, flags: Flags): Promise<Asked> {
  const { command: words = [], resume } = flags;
  if (resume === undefined) {
    if (words.length === 0) throw new UsageError("missing <command...>", { hint: "give it after --" });
    return made(context, { ...(await namesIn(context, flags)), words });
  }
  if (flags.journal !== undefined) throw new UsageError("give either --journal or --resume");
  const { run, asked } = await resumeJobRun(context, resume);
  const kept = asked as unknown as Kept;
  if (kept.job !== "each")
    throw new UsageError(`run ${resume} is not one of each`, { hint: `batch --resume ${resume}` });
  if (words.length > 0 && markOf(words) !== kept.mark) {
    throw new UsageError(`run ${resume} is the run of another command`, { hint: "leave the command out" });
  }
  const typed = words.length > 0 ? words : kept.words;
  if (typed === undefined) {
    throw new UsageError(`run ${resume} does not hold its command, which has a secret`, {
      hint: `repeat the whole command with --resume ${resume}`,
    });
  }
  const given = flags.projects_file ?? flags.groups_file;
  const source = given === undefined ? kept : await namesIn(context, flags);
  return made(context, { kind: source.kind, names: source.names, words: typed }, run);
}

async function made(
  context: Context,
  { kind, words, names }: Pick<Asked, "kind" | "words" | "names">,
  run?: JobRun,
): Promise<Asked> {
  const { secrets } = await context.commands.parse(words, kind);
  const isSecret = (word: string) => secrets.some((secret) => secret !== "" && word.includes(secret));
  const holdsWords = !words.some(isSecret);
  const hidden = words.map((word) => (isSecret(word) ? "[redacted]" : word));
  const kept: Kept = { job: "each", kind, names, mark: markOf(words), ...(holdsWords && { words }) };
  return {
    ...{ kind, words, names, holdsWords, run },
    shown: holdsWords ? commandLine(words) : `${commandLine(hidden)} # ${markOf(words)}`,
    kept,
  };
}
