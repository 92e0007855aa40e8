import { createHash } from "node:crypto";
import { boolean, entity, integer, json, nullable, outcome, string } from "../api/field.ts";
import { UsageError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { commandLine } from "../base/line.ts";
import type { Context } from "../context.ts";
import { command } from "../declare/command.ts";
import { readTextSource } from "../transfer/source.ts";
import { ordered } from "../verbs/bulk.ts";
import { journalFlag } from "../verbs/journal.ts";
import { Runner, refuseUnfit, type Task } from "../verbs/many.ts";
import { asFinished } from "../verbs/pool.ts";

const BatchLine = entity("BatchLine", {
  line: integer("Line of the input, from 1"),
  id: json("ID from the line; null if it has none"),
  args: json("The command's words"),
  status: outcome("done, failed, made, unknown, or not_begun"),
  exit: nullable(integer("Exit code of the command; null if it was not started")),
  result: json("As -o json prints it; of a failure, the rows before it"),
  error: nullable(json("As errors are in JSON", { whole: true })),
});

interface Line extends Task {
  line: number;
  /** The line's own ID. */
  given: unknown;
  args: string[];
}

/** A line of a batch is a command, not a file. */
const mostBytes = 64 * 1024;

export const batch = command({
  name: "batch",
  summary: "Run many commands in one process, several at once",
  details:
    'The input is NDJSON, one command per line: {"args": ["users", "get", "dana.dixon"]}, with an optional "id". All ' +
    "lines are parsed before the first is run. A line that changes something never prompts: it needs --yes " +
    "itself, or for all of them. With a journal, a repeated run skips completed lines.",
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
    const lines = await readLines(context, input);
    const { yes } = context.config;
    const runner = await Runner.open(context, { journal, command: "batch", yes }, lines);
    const { todo } = runner;
    const again = ["batch", input, ...(journal === undefined ? [] : ["--journal", journal]), ...(yes ? ["--yes"] : [])];
    const run = async (each: Line) => {
      const { about: _, ...ended } = await runner.run(each);
      return { line: each.line, id: each.given, args: each.args, ...ended };
    };
    async function* rows() {
      const progress = context.progress.start("running", { total: todo.length, unit: "items" });
      try {
        let done = 0;
        const pool = keepOrder ? ordered : asFinished;
        for await (const row of pool(todo, run, context.config.concurrency)) {
          progress.update(++done);
          yield row;
        }
      } finally {
        progress.stop();
        await runner.close();
      }
      runner.conclude(`forgectl ${commandLine(again)}`);
    }
    return {
      rows: rows(),
      columns: ["line", "id", "status", "exit", "result", "error"],
      stands: true,
    };
  },
});

/** Every line parsed, or a UsageError that names the first bad one. */
async function readLines(context: Context, input: string): Promise<Line[]> {
  const text = (await readTextSource(context, input)).replace(/^\uFEFF/, "");
  const lines: Line[] = [];
  for (const [index, raw] of text.split("\n").entries()) {
    const content = raw.trim();
    if (content === "") continue;
    const line = index + 1;
    try {
      const { id, args } = readLine(content);
      const command = await context.commands.parse(args);
      refuseUnfit(command, "batch");
      const key = `${line}:${createHash("sha256").update(JSON.stringify(args)).digest("hex").slice(0, 16)}`;
      lines.push({ line, given: id ?? null, args, id: key, command, scope: {} });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const place = input === "-" ? "stdin" : input;
      throw new UsageError(`${place}:${line}: ${error.message}`, { ...error.details, reason: "nothing was sent" });
    }
  }
  if (lines.length === 0) throw new UsageError(`${input === "-" ? "stdin" : input} contains no command`);
  return lines;
}

function readLine(content: string): { id: unknown; args: string[] } {
  const form = 'write {"args": ["users", "me"]}';
  if (content.length > mostBytes) throw new UsageError("the line is longer than 64 KiB");
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    throw new UsageError("the line is not JSON", { hint: form });
  }
  if (!isObject(value)) throw new UsageError("the line is not an object", { hint: form });
  const { id, args, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new UsageError(`"${unknown}" is not allowed here`, { hint: form });
  if (!Array.isArray(args) || args.length === 0 || !args.every((word) => typeof word === "string")) {
    throw new UsageError('"args" must be a list of texts', { hint: form });
  }
  return { id, args: args as string[] };
}
