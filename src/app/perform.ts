import { DryRunStop } from "../api/api.ts";
import { exitCodes, Failure, UsageError } from "../base/errors.ts";
import { formats, typedFormat } from "../base/format.ts";
import { globalOptions } from "../cli/global-options.ts";
import type { CommandInvocation } from "../cli/program.ts";
import type { GlobalOptions } from "../config/config.ts";
import type { Context } from "../context.ts";
import type { Command, Undo } from "../declare/command.ts";
import { isChanging } from "../declare/is-changing.ts";
import { namedFiles } from "../declare/named-files.ts";
import { missingScope } from "../declare/scope.ts";
import { finishing } from "../terminal/closable-output.ts";
import { checkAsked, checkFields, checkRequested } from "../terminal/fields.ts";
import { repaints } from "../terminal/interaction/repaint.ts";
import { checkJq } from "../terminal/jq.ts";
import { render } from "../terminal/render/index.ts";
import { loadStyle } from "../terminal/style.ts";
import type { View } from "../terminal/view.ts";
import { onSameInstance } from "../verbs/instance-flags.ts";
import { type Admit, admission } from "./admission.ts";
import type { Opened } from "./machine.ts";
import { refuseSameFile } from "./same-file.ts";
import { plannedView, storedView, viewOf, withNextStep } from "./view-of.ts";
import type { Wiring } from "./wire.ts";

/** The groups that show and repair profiles: they must work with a profile that is missing or invalid. */
const repairing: ReadonlySet<string> = new Set(["auth", "profiles"]);

/** The groups that explain problems of the configuration work with any configuration. */
const explaining: ReadonlySet<string> = new Set(["doctor"]);

/** What the line that undoes a change does not restore. */
function lostBy(undo: Undo | undefined, input: CommandInvocation["input"]): string | undefined {
  return typeof undo?.but === "function" ? undo.but(input) : undo?.but;
}

/** Runs a command and writes its result; returns the exit code. */
export async function perform(wiring: Wiring, asked: CommandInvocation): Promise<number> {
  const { command, path, globals } = asked;
  const options = globalOptions(globals);
  const { standalone } = command;
  const opened = await wiring.open(options, {
    tolerant: standalone || repairing.has(path[0] ?? ""),
    standalone,
    lenient: explaining.has(path[0] ?? ""),
  });
  const admit = admission(opened);
  const closing: string[] = [];
  const context = within(opened, options, { admit, closing });
  await checkOutput(options, command, asked.input);
  await admit(asked);
  const input = await filledIn(context, asked);
  await refuseSameFile(context, namedFiles(command, input));
  let hasResult = false;
  try {
    const { undo } = command;
    const printsUndo = undo !== undefined && !context.config.quiet && !context.config.dryRun;
    const watch = printsUndo ? (await import("./undo.ts")).watched(command, undo) : undefined;
    const view = await viewOf(context, { command: watch?.command ?? command, path, input });
    if (view === undefined) return exitCodes.done;
    hasResult = true;
    if ("exit" in view) return view.exit;
    const changes = "rows" in view && isChanging(command, input) && !context.config.dryRun;
    const finishes = ("finishes" in view ? view.finishes : undefined) ?? changes;
    // What --exit-code says must not depend on how much of it the reader takes.
    const stdout = finishes || input.exit_code === true ? finishing(context.stdout) : undefined;
    const printed = show(stdout === undefined ? context : { ...context, stdout }, options, view);
    await (("until" in view ? view.until?.(printed) : undefined) ?? printed);
    const lines = watch?.lines();
    if (lines !== undefined) (await import("../verbs/undo.ts")).printUndo(context, lines, lostBy(undo, input));
    for (const text of closing.splice(0)) opened.notice(text);
    stdout?.check();
    if (stdout?.isClosed) context.warn(finishedText("run" in view ? view.run?.() : undefined));
    if ("exitCode" in view && view.exitCode !== undefined) return view.exitCode();
  } catch (error) {
    for (const text of closing.splice(0)) opened.notice(text);
    if (error instanceof Failure) {
      // The change was made otherwise: the output is what the instance has, the exit code says that it differs. Rows of
      // a job have it already.
      const stored = hasResult ? undefined : storedView(command, error);
      if (stored !== undefined) await show(context, options, stored).catch(() => undefined);
      throw await withNextStep(context, error, { ...asked, input }, wiring);
    }
    if (!(error instanceof DryRunStop)) throw error;
    const stdout = error.failure === undefined ? context.stdout : finishing(context.stdout);
    await show({ ...context, stdout }, options, plannedView(context));
    if (error.failure !== undefined) throw error.failure;
  }
  return exitCodes.done;
}

function finishedText(run: string | undefined): string {
  return `stdout was closed before the end; the work is finished${run === undefined ? "" : `: run ${run}`}`;
}

/** What was typed, plus what the user at a terminal chose for missing values. */
async function filledIn(context: Context, asked: CommandInvocation): Promise<CommandInvocation["input"]> {
  const { config, prompt, stdout } = context;
  const asksForScope = prompt.available && stdout.isTerminal;
  const scope = asksForScope ? missingScope(asked.command.params, asked.input, config) : undefined;
  if (scope === undefined && asked.missing.length === 0) return asked.input;
  const { chooseMissing } = await import("../completion/choose-missing.ts");
  return chooseMissing(context, asked, scope);
}

/** Few commands run others, so the code for it is loaded on first use. */
function within(outer: Opened, options: GlobalOptions, run: { admit: Admit; closing: string[] }): Context {
  const { admit, closing } = run;
  const context: Context = {
    ...outer,
    closing: (text) => void closing.push(text),
    notice: (text) => outer.notice(onSameInstance(outer.config, text)),
    warn: (text) => outer.warn(onSameInstance(outer.config, text)),
    ifCutOff: (rest) => outer.ifCutOff(onSameInstance(outer.config, rest)),
    onProfile: async (name) => {
      const opened = outer.on(await outer.config.forProfile(name));
      return within(opened, options, { admit: admission(opened), closing });
    },
    commands: {
      parse: async (...asked) =>
        (await import("./nested-commands.ts")).nestedCommands(context, admit, options.fields).parse(...asked),
    },
  };
  return context;
}

/** Refuses invalid output flags before anything is sent. */
async function checkOutput(options: GlobalOptions, command: Command, input: Readonly<Record<string, unknown>>) {
  const { returns, markdown } = command;
  if (options.output === typedFormat && markdown !== true) {
    throw new UsageError(`-o ${typedFormat}: this command has no such output`, {
      hint: `the formats are ${formats.join(", ")}`,
    });
  }
  if (options.fields !== undefined && returns !== undefined && !options.dryRun) {
    checkFields(options.fields, returns);
    checkRequested(options.fields, returns, command, input);
  }
  const typed = command.fieldsOf?.(input);
  if (typed !== undefined && !options.dryRun) {
    checkAsked(options.fields, {}, Object.fromEntries(typed.map((name) => [name, null])));
  }
  if (options.jq === undefined) return;
  await checkJq(options.jq);
}

async function show(context: Context, options: GlobalOptions, view: View): Promise<void> {
  const { config, stdout, stderr, env, now } = context;
  const style = await loadStyle(options.color, env, stdout);
  const message = "message" in view && view.message !== undefined ? onSameInstance(config, view.message) : undefined;
  return render(message === undefined ? view : { ...view, message }, {
    format: config.output ?? (options.jq !== undefined ? "json" : stdout.isTerminal ? "table" : "tsv"),
    explicitFormat: config.output !== undefined,
    typedFormat: options.output !== undefined,
    fields: options.fields,
    jq: options.jq,
    header: options.header ?? true,
    stdout,
    stderr,
    style,
    now: now(),
    times: options.times ?? false,
    pictures: repaints(env) && style.signs.drawn,
    quiet: config.quiet,
    isLogged: context.isLogged,
    signal: context.signal,
    unwatched: context.unwatched,
  });
}
