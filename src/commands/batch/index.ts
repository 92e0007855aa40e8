import { boolean, entity, integer, json, nullable, outcome, string } from "../../api/field.ts";
import { commandLine } from "../../base/line.ts";
import { command } from "../../declare/command.ts";
import { Runner } from "../../jobs/inner-commands.ts";
import { journalFlag } from "../../jobs/journal.ts";
import { type Line, readLines } from "./lines.ts";

const BatchLine = entity("BatchLine", {
  line: integer("Line of the input, from 1"),
  id: json("ID from the line; null if it has none"),
  args: json("The command's words"),
  status: outcome("done, refused, failed, made, unknown, altered, not_taken, or not_tried"),
  exit: nullable(integer("Exit code of the command; null if it was not started")),
  result: json("As -o json prints it; after a failure, the rows before it"),
  error: nullable(json("As errors are in JSON", { whole: true })),
});

export const batch = command({
  name: "batch",
  summary: "Run many commands in one process, several at once",
  details:
    'The input is NDJSON, one command per line: {"args": ["users", "get", "dana.dixon"]}, with an optional "id". All ' +
    "lines are parsed before the first is run. A line that changes something never prompts: it needs --yes " +
    "itself, or for all of them. With a journal, a repeated run skips completed lines, also " +
    "if the file was changed: a line is identified by its args and ID, not by its number.",
  args: {
    input: string("File of commands; - is stdin, and the default", { placeholder: "file|-", completes: "file" }),
  },
  params: {
    journal: journalFlag,
    keep_order: boolean("Print the results in the order of the input, not as they finish"),
  },
  returns: BatchLine,
  examples: [
    { line: "batch commands.ndjson" },
    { line: "batch commands.ndjson --journal commands.journal --yes -o ndjson", note: "resumed when run again" },
  ],
  related: ["each", "help exit-codes"],
  async run(context, { input = "-", journal, keep_order: keepOrder = false }) {
    const lines = await readLines(context, input, { journaled: journal !== undefined });
    const { yes } = context.config;
    const runner = await Runner.open(context, { journal, command: "batch", yes }, lines);
    const again = ["batch", input, ...(journal === undefined ? [] : ["--journal", journal]), ...(yes ? ["--yes"] : [])];
    // Parsed a second time, because keeping thousands of parsed commands would need too much memory.
    const prepare = async ({ args }: Line) => ({ command: await context.commands.parse(args) });
    const results = runner.results(prepare, { ordered: keepOrder, again: `forgectl ${commandLine(again)}` });
    async function* rows() {
      for await (const { task, ended } of results) {
        const { about: _, ...outcome } = ended;
        yield { line: task.line, id: task.given, args: task.args, ...outcome };
      }
    }
    return {
      rows: rows(),
      columns: ["line", "id", "status", "exit", "result", "error"],
      validIfPartial: true,
      finishes: lines.changes,
    };
  },
});
