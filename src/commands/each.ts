import { createHash } from "node:crypto";
import { array, required, string } from "../api/field.ts";
import { exitCodes, UsageError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { commandLine } from "../base/line.ts";
import type { Context, InnerCommand } from "../context.ts";
import { command } from "../declare/command.ts";
import { type Ended, Runner, refuseUnfit } from "../jobs/inner-commands.ts";
import { journalFlag } from "../jobs/journal.ts";
import { scalarsOf } from "../terminal/collect.ts";
import type { Shape, View } from "../terminal/view.ts";
import { confirm } from "../verbs/confirm.ts";
import { scopeFile, scopeNames } from "../verbs/scope-names.ts";

type Scope = "project" | "group";

interface Result {
  readonly task: { readonly name: string };
  readonly ended: Ended;
}

export const each = command({
  name: "each",
  summary: "Run a command once for each project or group of a file",
  details:
    "The file names one project or group per line, by ID or path; comments, blank lines, and duplicates are ignored. The " +
    "command gets -p or -g filled in. The results are one list, with the scope first. A command that changes " +
    "something asks once, for all of them.",
  args: {
    command: required(
      array(string(), "The command, without forgectl and without -p or -g", { completes: "own-command" }),
    ),
  },
  params: {
    projects_file: scopeFile("project"),
    groups_file: scopeFile("group"),
    journal: journalFlag,
  },
  passThrough: true,
  examples: [
    { line: "each --projects-file projects.txt -- job-token get" },
    { line: "each --projects-file projects.txt -o csv -- envs list", note: "one table for an auditor" },
    { line: "each --projects-file projects.txt --journal run.journal --yes -- job-token limit on" },
  ],
  related: ["batch", "projects list", "job-token audit"],
  async run(context, { command: words, projects_file: projects, groups_file: groups, journal }): Promise<View> {
    const { scope, names } = await readScopes(context, projects, groups);
    const inner = await context.commands.parse(words, scope);
    refuseUnsuitable(inner, scope);
    await ask(context, inner, { scope, count: names.length });
    const tasks = names.map((name) => ({ id: name, name }));
    const shown = shownWords(inner, words);
    const line = `each --${scope}s-file -- ${shown}`;
    const runner = await Runner.open(context, { journal, command: line, yes: true }, tasks);
    const source = projects === undefined ? ["--groups-file", groups ?? "-"] : ["--projects-file", projects];
    const kept = journal === undefined ? [] : ["--journal", journal];
    const yes = inner.changes ? ["--yes"] : [];
    const again = `forgectl ${commandLine(["each", ...source, ...kept, ...yes, "--"])} ${shown}`;
    const prepare = async ({ name }: (typeof tasks)[number]) => ({ command: inner, scope: { [scope]: name } });
    const results = runner.results(prepare, { ordered: true, again });
    let differing = false;
    const rowsFor = ({ task, ended }: Result) => {
      differing ||= ended.exit === exitCodes.differences;
      if (ended.status !== "done") warnOfFailure(context, scope, task.name, ended);
      return rowsOf(scope, task.name, ended);
    };
    // The first successful result determines the columns.
    const held: Result[] = [];
    let about: Ended["about"];
    let failure: { error: unknown } | undefined;
    while (about === undefined) {
      const next = await results.next().catch((error: unknown) => {
        failure = { error };
      });
      if (next === undefined || next.done === true) break;
      held.push(next.value);
      about = next.value.ended.about;
    }
    async function* rows() {
      for (const each of held) yield* rowsFor(each);
      if (failure !== undefined) throw failure.error;
      for await (const each of results) yield* rowsFor(each);
    }
    return {
      rows: rows(),
      ...described(about, scope),
      validIfPartial: true,
      finishes: inner.changes,
      exitCode: () => (differing ? exitCodes.differences : exitCodes.done),
    };
  },
});

async function readScopes(context: Context, projects: string | undefined, groups: string | undefined) {
  if ((projects === undefined) === (groups === undefined)) {
    throw new UsageError("give either --projects-file or --groups-file");
  }
  const scope: Scope = projects === undefined ? "group" : "project";
  const source = projects ?? groups;
  const names = await scopeNames(context, [], source);
  if (names.length === 0) throw new UsageError(`${source === "-" ? "stdin" : source} names no ${scope}`);
  return { scope, names };
}

/** The words without secrets; a hash distinguishes commands whose secrets differ. */
function shownWords({ secrets }: InnerCommand, words: readonly string[]): string {
  const isSecret = (word: string) => secrets.some((secret) => secret !== "" && word.includes(secret));
  if (!words.some(isSecret)) return commandLine(words);
  const mark = createHash("sha256").update(JSON.stringify(words)).digest("hex").slice(0, 8);
  return `${commandLine(words.map((word) => (isSecret(word) ? "[redacted]" : word)))} # ${mark}`;
}

function refuseUnsuitable(inner: InnerCommand, scope: Scope): void {
  refuseUnfit(inner, "each");
  const name = inner.path.join(" ");
  const [typed] = inner.typedScopes;
  if (typed !== undefined) {
    throw new UsageError(`${name} must not have its own ${typed}`, { hint: "leave it out: each fills it in" });
  }
  if (!inner.scopes.includes(scope)) throw new UsageError(`${name} does not take a ${scope}`);
  if (inner.bytes) throw new UsageError(`${name} prints bytes, not a list`);
}

/** One question for all; if something may be deleted, the number of scopes must be typed. */
async function ask(context: Context, inner: InnerCommand, { scope, count }: { scope: Scope; count: number }) {
  if (!inner.changes) return;
  const what = `${count} ${scope}${count === 1 ? "" : "s"}`;
  const typed = inner.deletes ? String(count) : undefined;
  await confirm(context, { action: `run ${inner.path.join(" ")} on ${what}`, typed });
}

function warnOfFailure(context: Context, scope: Scope, name: string, { status, error }: Ended): void {
  const cause = [error?.message, error?.cause].filter((part) => typeof part === "string").join("; ");
  if (status === "not_tried") context.warn(`${scope} ${name}: not tried`);
  else context.warn(`${scope} ${name}: ${cause === "" ? status : cause}`);
}

function* rowsOf(scope: Scope, name: string, { status, result }: Ended): Generator<object> {
  if (status !== "done" && result === null) return;
  const rows = Array.isArray(result) ? result : [result];
  for (const row of rows) yield { [scope]: name, ...(isObject(row) ? row : row === null ? {} : { result: row }) };
}

/** The columns of the command's own result, after the scope. */
function described(about: Ended["about"], scope: Scope) {
  const shape: Shape = { [scope]: { kind: "string" }, ...about?.entity?.shape };
  return {
    columns: [scope, ...(about?.columns ?? scalarsOf(about?.entity?.shape) ?? []).filter((name) => name !== scope)],
    entity: { name: about?.entity?.name ?? "Result", shape },
  };
}
