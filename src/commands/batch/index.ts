import { boolean, entity, integer, json, nullable, outcome, string } from "../../api/field.ts";
import { exitCodes, UsageError } from "../../base/errors.ts";
import { hideSecrets } from "../../base/secrets.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { Runner } from "../../jobs/inner-commands.ts";
import { beginJobRun, type JobRun, openRunJournal } from "../../jobs/job-run.ts";
import { journalFlag, openJournal } from "../../jobs/journal.ts";
import { headOf, stdinRemark } from "../../jobs/journal-head.ts";
import { unlessOther } from "../../jobs/same-place.ts";
import { shardFlag, shardWords } from "../../jobs/shard.ts";
import { namesRead } from "../../state/files/sources.ts";
import { confirmed } from "../../verbs/confirm.ts";
import { type Flags, type Given, givenLines } from "./input.ts";
import type { Line } from "./lines.ts";

const BatchLine = entity("BatchLine", {
  line: integer("Line of the input, from 1"),
  id: json("ID from the line; null if it has none"),
  args: json("The command's words, without secrets"),
  status: outcome("done, skipped, refused, failed, made, unknown, altered, not_taken, or not_tried"),
  exit: nullable(integer("Exit code of the command; null if it was not started")),
  result: json(
    "As -o json prints it; after a failure, the rows before it, or what is stored; of a skipped line, when it was done",
  ),
  error: nullable(
    json("As errors are in JSON", { whole: true, worded: (errors) => errors.map(errorWords).join("; ") }),
  ),
});

/** An error in a table: its message, and its cause. */
function errorWords(error: unknown): string {
  const { message, cause } = error as { message: string; cause: string | null };
  return cause === null ? message : `${message}: ${cause}`;
}

export const batch = command({
  name: "batch",
  details:
    'The input is NDJSON, one command per line: {"args": ["users", "get", "dana.dixon"]}, with an optional "id". All ' +
    "lines are parsed before the first is run. A line that changes something never prompts: it needs --yes " +
    "itself, or for all of them. What changes something is recorded: --resume completes the rest. With a journal, the " +
    "file may be changed between two runs: a line is identified by what it does and its ID, not by its number.",
  args: {
    input: string("File of commands; - is stdin, and the default", { placeholder: "file|-", completes: "file" }),
  },
  params: {
    resume: string("Complete the rest of an earlier run", { placeholder: "run" }),
    journal: journalFlag,
    shard: shardFlag,
    keep_order: boolean("Print the results in the order of the input, not as they finish"),
  },
  returns: BatchLine,
  prints: "rows",
  // Each line decides, and is asked itself.
  changes: () => false,
  deletes: () => false,
  examples: [
    { line: "batch commands.ndjson" },
    { line: "batch commands.ndjson --journal commands.journal --yes -o ndjson", note: "resumed when run again" },
  ],
  related: ["each", "help exit-codes"],
  async run(context, flags) {
    const listedAtMs = context.elapsedMs();
    const given = await givenLines(context, flags);
    const { lines } = given;
    if (flags.journal !== undefined && !lines.changes) {
      throw new UsageError("no line changes anything, so there is nothing to record", { hint: "leave out --journal" });
    }
    const { journal, run } = await record(context, flags, given);
    const isOver = run !== undefined && !context.config.dryRun;
    const recorded = { journal, names: lines.names, ...(isOver && { remove: () => run.remove() }) };
    const runner = new Runner(context, recorded, lines, { yes: context.config.yes });
    // Parsed a second time, because keeping thousands of parsed commands would need too much memory.
    const prepare = async ({ args, id, named }: Line) => {
      const command = await context.commands.parse(args);
      return { command: command.changes ? unlessOther(context, command, { id, named, listedAtMs }) : command };
    };
    const rest = { hint: `forgectl ${restLine(context, flags, given, run)}${stdinRemark(lines.reads)}` };
    const results = runner.results(prepare, { ordered: flags.keep_order ?? false, rest });
    let differing = false;
    async function* rows() {
      for await (const { task, ended } of results) {
        differing ||= ended.exit === exitCodes.differences;
        const { about: _, doneAt, reveal = false, ...outcome } = ended;
        const args = await withoutSecrets(context, task.args, lines.secret);
        const result = doneAt === undefined ? outcome.result : { done_at: doneAt };
        const row = hideSecrets({ line: task.line, id: task.given, args, ...outcome, result }, BatchLine.shape);
        yield reveal ? { ...row, result } : row;
      }
    }
    return {
      rows: rows(),
      columns: ["line", "id", "status", "exit", "result", "error"],
      // Each row is masked by itself.
      reveal: true,
      validIfPartial: true,
      finishes: (lines.changes || lines.finds || lines.writes) && !context.config.dryRun,
      run: () => run?.id,
      exitCode: () => (differing ? exitCodes.differences : exitCodes.done),
    };
  },
});

/** Without a named journal, lines that change something have a run of their own. */
async function record(context: Context, { journal: path }: Flags, { lines, shard, kept, run: resumed }: Given) {
  if (!lines.changes || (context.config.dryRun && path === undefined && resumed === undefined)) return {};
  const run = path === undefined ? (resumed ?? (await beginJobRun(context, kept))) : undefined;
  const command = ["batch", ...shardWords(shard)].join(" ");
  const head = async () => {
    const { registry, defaults } = lines;
    const used = { reads: await namesRead(context, lines.reads), registry };
    // In a named journal, another project or group has its own entries.
    return headOf(context, command, path === undefined ? { ...used, defaults } : used);
  };
  if (path !== undefined) return { journal: await openJournal(context, path, await head()), run };
  return run === undefined ? {} : { journal: await openRunJournal(context, run, await head()), run };
}

function restLine(
  context: Context,
  { input, journal }: Flags,
  { holdsLines, shard }: Given,
  run: JobRun | undefined,
): string {
  const words = [
    ...(run !== undefined && holdsLines ? [] : [input ?? "-"]),
    ...(run === undefined ? shardWords(shard) : ["--resume", run.id]),
    ...(journal === undefined ? [] : ["--journal", journal]),
  ];
  return commandLine(["batch", ...words, ...confirmed(context)]);
}

async function withoutSecrets(context: Context, args: readonly string[], secret: boolean): Promise<string[]> {
  const { secrets } = secret ? await context.commands.parse(args) : { secrets: [] };
  const hidden = (word: string) =>
    secrets.reduce((text, each) => (each === "" ? text : text.replaceAll(each, "[redacted]")), word);
  return args.map((word) => context.redact(hidden(word)));
}
