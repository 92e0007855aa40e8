import { array, string } from "../../api/field.ts";
import { exitCodes, UsageError } from "../../base/errors.ts";
import { commandLine } from "../../base/line.ts";
import type { Context, InnerCommand } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { headOf } from "../../jobs/head.ts";
import { type Ended, Runner, refuseUnfit } from "../../jobs/inner-commands.ts";
import { beginJobRun, type JobRun } from "../../jobs/job-run.ts";
import { journalFlag, openJournal } from "../../jobs/journal.ts";
import type { View } from "../../terminal/view.ts";
import { confirmed } from "../../verbs/confirm.ts";
import { scopeFile } from "../../verbs/scope-names.ts";
import { type Asked, asked, type Flags } from "./asked.ts";
import { askForAll, refuseUnconfirmed } from "./question.ts";
import { described, type Result, rowsOf } from "./rows.ts";
import { identified, type Scope, type ScopeKind, sourceWords } from "./scopes.ts";

export const each = command({
  name: "each",
  summary: "Run a command once for each project or group of a file",
  details:
    "The file names one project or group per line, by ID or path; comments, blank lines, and duplicates are ignored. The " +
    "command gets -p or -g filled in. The results are one list, with the scope first; what failed is a row too. A " +
    "command that changes something asks its own question once, for all of them, and the run is recorded: " +
    "--resume completes the rest, also without the file.",
  args: {
    command: array(string(), "The command, without forgectl and without -p or -g", { completes: "own-command" }),
  },
  params: {
    projects_file: scopeFile("project"),
    groups_file: scopeFile("group"),
    resume: string("Complete the rest of an earlier run", { placeholder: "run" }),
    journal: journalFlag,
  },
  passThrough: true,
  examples: [
    { line: "each --projects-file projects.txt -- job-token get" },
    { line: "each --projects-file projects.txt -o csv -- envs list", note: "one table for an auditor" },
    { line: "each --projects-file projects.txt --yes -- job-token limit on" },
  ],
  related: ["batch", "projects list", "job-token audit"],
  async run(context, flags): Promise<View> {
    const given = await asked(context, flags);
    const { kind, words } = given;
    const inner = await context.commands.parse(words, kind);
    refuseUnsuitable(inner, kind, flags.journal);
    await refuseUnconfirmed(context, given, inner);
    const head = () => headOf(context, `each --${kind}s-file -- ${given.shown}`, inner.reads);
    // A journal of another run is refused before anything else is sent.
    const named = flags.journal === undefined ? undefined : await openJournal(context, flags.journal, await head());
    try {
      const scopes = await scopesOf(context, given, inner.changes && (named !== undefined || !context.config.dryRun));
      const answers = await askForAll(context, { inner, kind, scopes, shown: given.shown });
      const run = named === undefined ? await begin(context, given, inner) : undefined;
      const journal = run === undefined ? named : await openJournal(context, run.journal, await head());
      const tasks = scopes.map((scope) => ({ id: scope.id, scope }));
      const runner = new Runner(context, { journal, ...(run && { remove: run.remove }) }, tasks, { yes: true });
      const prepare = async ({ scope }: { scope: Scope }) => ({
        command: inner,
        scope: { [kind]: scope.name },
        answer: answers(scope),
      });
      const rest = { hint: `forgectl ${restLine(context, flags, given, run)}` };
      return await viewOf(runner.results(prepare, { ordered: true, rest }), {
        ...{ kind, run },
        changes: inner.changes && !context.config.dryRun,
      });
    } catch (error) {
      await named?.close();
      throw error;
    }
  },
});

/** With their IDs where two names of one project would do a thing twice. */
function scopesOf(context: Context, { kind, names }: Asked, byId: boolean): Promise<Scope[]> | Scope[] {
  return byId ? identified(context, kind, names) : names.map((name) => ({ name, id: `${kind} ${name}` }));
}

/** The run of a change without a named journal. */
async function begin(context: Context, { run, kept }: Asked, { changes }: InnerCommand): Promise<JobRun | undefined> {
  return !changes || context.config.dryRun ? undefined : (run ?? (await beginJobRun(context, kept)));
}

/** The command that completes the rest: a run holds all of it, unless a word is secret. */
function restLine(context: Context, flags: Flags, { shown, holdsWords }: Asked, run: JobRun | undefined): string {
  const yes = confirmed(context);
  if (run !== undefined && holdsWords) return commandLine(["each", "--resume", run.id, ...yes]);
  const source = flags.projects_file === undefined && flags.groups_file === undefined ? [] : sourceWords(flags);
  const record = run === undefined ? [] : ["--resume", run.id];
  const journal = flags.journal === undefined ? [] : ["--journal", flags.journal];
  return `${commandLine(["each", ...source, ...record, ...journal, ...yes, "--"])} ${shown}`;
}

interface Viewed {
  readonly kind: ScopeKind;
  readonly changes: boolean;
  readonly run: JobRun | undefined;
}

async function viewOf(results: AsyncGenerator<Result, void>, { kind, changes, run }: Viewed): Promise<View> {
  // The first successful result determines the columns.
  const held: Result[] = [];
  let about: Ended["about"];
  let failure: { error: unknown } | undefined;
  while (about === undefined && failure === undefined) {
    const next = await results.next().catch((error: unknown) => {
      failure = { error };
    });
    if (next === undefined || next.done === true) break;
    held.push(next.value);
    about = next.value.ended.about;
  }
  let differing = false;
  const shown = (result: Result) => {
    differing ||= result.ended.exit === exitCodes.differences;
    return rowsOf(kind, changes, result);
  };
  async function* rows() {
    for (const result of held) yield* shown(result);
    if (failure !== undefined) throw failure.error;
    for await (const result of results) yield* shown(result);
  }
  return {
    rows: rows(),
    ...described(about, kind, changes),
    validIfPartial: true,
    finishes: changes,
    run: () => run?.id,
    exitCode: () => (differing ? exitCodes.differences : exitCodes.done),
  };
}

function refuseUnsuitable(inner: InnerCommand, kind: ScopeKind, journal: string | undefined): void {
  refuseUnfit(inner, "each");
  const name = inner.path.join(" ");
  const [typed] = inner.typedScopes;
  if (typed !== undefined) {
    throw new UsageError(`${name} must not have its own ${typed}`, { hint: "leave it out: each fills it in" });
  }
  if (!inner.scopes.includes(kind)) throw new UsageError(`${name} does not take a ${kind}`);
  if (inner.bytes) throw new UsageError(`${name} prints bytes, not a list`);
  if (journal !== undefined && !inner.changes) {
    throw new UsageError(`${name} changes nothing, so there is nothing to record`, { hint: "leave out --journal" });
  }
}
