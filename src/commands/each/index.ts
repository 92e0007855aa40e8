import { array, string } from "../../api/field.ts";
import { shorter } from "../../api/shorter-lists.ts";
import { exitCodes, type Failure, UsageError } from "../../base/errors.ts";
import { hideSecrets } from "../../base/secrets.ts";
import { commandLine } from "../../base/shell-words.ts";
import { placeOf } from "../../config/address.ts";
import type { Context, InnerCommand } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { type Ended, Runner } from "../../jobs/inner-commands.ts";
import { type JobRun, openRunJournal } from "../../jobs/job-run.ts";
import { journalFlag } from "../../jobs/journal.ts";
import { stdinRemark } from "../../jobs/journal-head.ts";
import { unlessOther } from "../../jobs/same-place.ts";
import { shardFlag } from "../../jobs/shard.ts";
import { refuseUnfit } from "../../jobs/unfit-commands.ts";
import type { View } from "../../terminal/view.ts";
import { confirmed } from "../../verbs/confirm.ts";
import { archivedFlag } from "../../verbs/fleet.ts";
import { scopeFile } from "../../verbs/scope-names.ts";
import { refuseIds } from "./ids.ts";
import { namesOutputs, outputsOf, withParents } from "./outputs.ts";
import { askForAll, refuseUnconfirmed } from "./question.ts";
import { begin, earlierJournal, headOfRun } from "./record.ts";
import { type Asked, addedColumns, asked, type Flags, sourceWords } from "./request.ts";
import { type Around, aboutOf, described, type Result, rowsOf } from "./rows.ts";
import { filledIn, type Instance, type Instances, type Scope, scopesOf } from "./scopes.ts";

export const each = command({
  name: "each",
  details:
    "A file names one project or group per line, by ID or path; comments, blank lines, and duplicates are ignored. " +
    "--projects-of lists those of a group, without projects that are only shared, archived, or about to be deleted. " +
    "--profiles runs it on several instances, each with its stored address and token, and without a list once for " +
    "each. The " +
    "command gets -p or -g filled in. The results are one list, with the scope first; what failed is a row too. A " +
    "command that changes something asks its own question once, for all of them, and the run is recorded: " +
    "--resume completes the rest, also without the file. {id} and {path} in the name of a file or folder that the " +
    "command writes are those of the project or group; folders are created.",
  args: {
    command: array(string(), "The command, without forgectl and without -p or -g", { completes: "own-command" }),
  },
  params: {
    projects_file: scopeFile("project"),
    groups_file: scopeFile("group"),
    projects_of: string("The projects below this group, at any depth", { placeholder: "id|path", completes: "group" }),
    groups_of: string("This group and all groups below it", { placeholder: "id|path", completes: "group" }),
    match: string("Only those whose path matches: * is any text without a slash, ** any text", { placeholder: "glob" }),
    archived: archivedFlag,
    profiles: string("Run it on the instances of these stored profiles", { placeholder: "name,..." }),
    shard: shardFlag,
    resume: string("Complete the rest of an earlier run", { placeholder: "run" }),
    journal: journalFlag,
  },
  passThrough: true,
  // What it runs decides, and is asked itself.
  changes: () => false,
  deletes: () => false,
  examples: [
    { line: "each --projects-file projects.txt -- job-token get" },
    { line: "each --projects-file projects.txt -o csv -- envs list --limit all", note: "one table for an auditor" },
    { line: "each --projects-of acme --match 'acme/platform/**' --yes -- job-token limit on" },
    {
      line: "each --projects-of acme --match 'acme/*' --yes -- relations pull exports/{path}",
      note: "a folder for each project",
    },
    { line: "each --profiles staging,production -- settings get signup_enabled" },
    { line: "each --projects-of acme --shard 1/4 -o csv -- job-token get" },
  ],
  related: ["batch", "projects list", "job-token audit"],
  async run(context, flags): Promise<View> {
    const given = await asked(context, flags);
    const { kind } = given;
    const instances = await instancesOf(context, given);
    const [{ inner }] = [...instances.values()] as [Instance];
    refuseUnsuitable(inner, given, flags.journal);
    if (given.profiles.length > 1) await refuseIds(inner, kind);
    const listedAtMs = context.elapsedMs();
    const places = await given.places(instances);
    await refuseUnconfirmed(context, { ...given, places }, inner);
    const written = (words: string) => `each ${given.source} -- ${words}`;
    const head = async () => ({
      ...(await headOfRun(context, instances, { command: written(given.shown), inner, kind })),
      earlier: written(commandLine(given.words)),
    });
    // A journal of another run is refused before anything else is sent.
    const earlier = await earlierJournal(context, { ...given, path: flags.journal }, { inner, head });
    try {
      const { dryRun } = context.config;
      const changes = inner.changes && (earlier !== undefined || !dryRun);
      const once = changes || namesOutputs(inner);
      const wanted = { kind, places, shard: given.shard, once, seen: earlier?.seen };
      const { scopes, names } = await scopesOf(instances, wanted);
      const outputs = await outputsOf(instances, { kind, scopes });
      const answers = await askForAll(context, { instances, inner, kind, scopes, outputs, shown: given.shown });
      const run = earlier === undefined ? await begin(context, given, places, inner) : given.run;
      const journal = earlier ?? (run && (await openRunJournal(context, run, await head())));
      const tasks = scopes.map((scope) => ({ ...scope, scope }));
      // A run of a list in part is not over: its rest is what the list has then.
      const isInPart = places.some((place) => place.isInPart);
      const recorded = { journal, names, ...(run && !dryRun && !isInPart && { remove: run.remove }) };
      const runner = new Runner(context, recorded, tasks, { yes: true });
      const prepare = async ({ scope }: { scope: Scope }) => {
        const { inner, context: there } = instances.get(scope.profile) as Instance;
        const files = outputs(scope);
        // Folders are looked at right before the command, with no request between the two.
        const own = files === undefined ? inner : withParents(there, inner, files);
        const command = inner.changes ? unlessOther(there, own, { ...scope, listedAtMs }) : own;
        return { command, scope: filledIn(kind, scope), outputs: files, answer: answers(scope) };
      };
      const rest = { hint: `forgectl ${restLine(context, flags, given, run)}${stdinRemark(inner.reads)}` };
      return await viewOf(runner.results(prepare, { ordered: true, rest }), {
        ...{ kind, run },
        first: [...(given.profiles.length > 0 ? ["profile"] : []), ...(kind === undefined ? [] : [kind])],
        changes: inner.changes && !dryRun,
        finishes: (inner.finds || once) && !dryRun,
        unlisted: isInPart ? shorter().with({ ...rest, retryable: run === undefined }) : undefined,
      });
    } catch (error) {
      await earlier?.close();
      throw error;
    }
  },
});

/** The command on each instance, admitted by what guards that instance; nothing is sent. */
async function instancesOf(context: Context, { kind, words, profiles }: Asked): Promise<Instances> {
  const names = profiles.length === 0 ? [undefined] : profiles;
  const instances = new Map<string | undefined, Instance>();
  for (const name of names) {
    const own = name === undefined ? context : await context.onProfile(name);
    const inner = await own.commands.parse(words, addedColumns(kind, profiles));
    instances.set(name, { context: own, inner });
  }
  refuseTwice(instances, kind);
  return instances;
}

/**
 * Refuses two profiles of one instance for a command that changes something: all of it would be changed twice. Without
 * a list, each of them may name a project or group of its own.
 */
function refuseTwice(instances: Instances, kind: Asked["kind"]): void {
  const first = new Map<string, string | undefined>();
  for (const [name, { context, inner }] of instances) {
    const address = context.config.baseUrl?.value;
    const place = address && placeOf(address);
    const changed = JSON.stringify([place, kind === undefined ? inner.scope() : {}]).toLowerCase();
    if (inner.changes && first.has(changed)) {
      throw new UsageError(`profiles ${first.get(changed)} and ${name} are of one instance`, {
        reason: `every change at ${address} would be made twice`,
        hint: "name one of them",
      });
    }
    first.set(changed, name);
  }
}

/** The command that completes the rest: a run holds all of it, unless a word is secret. */
function restLine(context: Context, flags: Flags, given: Asked, run: JobRun | undefined): string {
  const yes = confirmed(context);
  // The flags that select this instance are put before a command: a run for profiles takes none.
  const [before, after] = given.profiles.length > 0 ? [yes, []] : [[], yes];
  if (run !== undefined && given.holdsWords) return commandLine([...before, "each", "--resume", run.id, ...after]);
  const source = run === undefined ? sourceWords(flags, { ...given, files: true }) : ["--resume", run.id];
  const journal = flags.journal === undefined ? [] : ["--journal", flags.journal];
  return `${commandLine([...before, "each", ...source, ...journal, ...after, "--"])} ${given.shown}`;
}

interface Viewed extends Around {
  /** See `RowsView`. */
  readonly finishes: boolean;
  readonly run: JobRun | undefined;
  /** The error at the end, if the list is in part. */
  readonly unlisted: Failure | undefined;
}

async function viewOf(results: AsyncGenerator<Result, void>, viewed: Viewed): Promise<View> {
  const { finishes, run, unlisted } = viewed;
  // The first result that tells determines the columns.
  const held: Result[] = [];
  let shown: Ended["about"];
  let failure: { error: unknown } | undefined;
  while (shown === undefined && failure === undefined) {
    const next = await results.next().catch((error: unknown) => {
      failure = { error };
    });
    if (next === undefined || next.done === true) break;
    held.push(next.value);
    shown = aboutOf(viewed, next.value);
  }
  let differing = false;
  const description = described(shown, viewed);
  function* ownRows(result: Result) {
    differing ||= result.ended.exit === exitCodes.differences;
    for (const row of rowsOf(viewed, result)) {
      yield result.ended.reveal ? row : hideSecrets(row, description.entity.shape);
    }
  }
  async function* rows() {
    for (const result of held) yield* ownRows(result);
    if (failure !== undefined) throw failure.error;
    for await (const result of results) yield* ownRows(result);
    if (unlisted !== undefined) throw unlisted;
  }
  return {
    rows: rows(),
    ...description,
    // Each row is masked by itself.
    reveal: true,
    validIfPartial: true,
    finishes,
    run: () => run?.id,
    exitCode: () => (differing ? exitCodes.differences : exitCodes.done),
  };
}

function refuseUnsuitable(inner: InnerCommand, { kind }: Asked, journal: string | undefined): void {
  refuseUnfit(inner, "each");
  const name = inner.path.join(" ");
  const [typed] = inner.typedScopes;
  if (kind !== undefined && typed !== undefined) {
    throw new UsageError(`${name} must not have its own ${typed}`, { hint: "leave it out: each fills it in" });
  }
  if (kind !== undefined && !inner.scopes.includes(kind)) throw new UsageError(`${name} does not take a ${kind}`);
  if (inner.bytes && !namesOutputs(inner)) {
    throw new UsageError(`${name} prints bytes, not a list`, {
      hint: "write {path} or {id} in the name of the file or folder that it saves: exports/{path}",
    });
  }
  if (journal !== undefined && !inner.changes) {
    throw new UsageError(`${name} changes nothing, so there is nothing to record`, { hint: "leave out --journal" });
  }
}
