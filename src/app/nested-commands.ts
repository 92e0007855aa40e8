import { DryRunStop } from "../api/api.ts";
import { isDeletion } from "../api/endpoint.ts";
import { isRepeatable } from "../api/outcome.ts";
import { secretTexts } from "../api/secret-texts.ts";
import { Failure, missing, UsageError } from "../base/errors.ts";
import { isTypedId } from "../base/group-paths.ts";
import { loadGroup } from "../cli/load.ts";
import { type CommandInvocation, parse } from "../cli/program.ts";
import { firstWord } from "../cli/words.ts";
import type { Commands, Context, InnerCommand, InnerQuestion } from "../context.ts";
import type { Command } from "../declare/command.ts";
import { isChanging } from "../declare/is-changing.ts";
import { namedFiles, readsStdin } from "../declare/named-files.ts";
import { resolveScope } from "../declare/scope.ts";
import { checkFields, checkRequested } from "../terminal/fields.ts";
import { sharedStdin } from "../terminal/shared-stdin.ts";
import type { ExitView, View } from "../terminal/view.ts";
import type { Admit } from "./admission.ts";
import { refuseSameFile } from "./same-file.ts";
import { plannedView, storedView, viewOf, withNextStep } from "./view-of.ts";

/**
 * Commands that run inside another: they share its connections and configuration, and have their own record of changes.
 */
export function nestedCommands(context: Context, admit: Admit, fields: readonly string[] = []): Commands {
  return {
    async parse(words, beside) {
      const group = firstWord(words);
      if (group === undefined) throw missing("<command>", { code: "missing_command" });
      const asked = parse(await loadGroup(group, words), words);
      if (asked.kind !== "run") throw new UsageError(`"${words.join(" ")}" asks for help and runs no command`);
      const { returns } = asked.command;
      if (beside !== undefined && returns !== undefined && !context.config.dryRun) {
        const own = fields.filter((path) => !beside.includes(path));
        checkFields(own, returns);
        checkRequested(own, returns, asked.command, asked.input);
      }
      await admit(asked);
      await refuseSameFile(context, namedFiles(asked.command, asked.input));
      return innerCommand(context, asked);
    },
  };
}

function innerCommand(context: Context, asked: CommandInvocation): InnerCommand {
  const { command, path, input, relative, globals } = asked;
  const scopes = Object.entries(command.params).flatMap(([name, { scope }]) =>
    scope === undefined ? [] : [{ name, scope }],
  );
  const typed = (name: string) => input[name] !== undefined;
  const named = namedFiles(command, input);
  const filledIn = (scope: Readonly<Record<string, string>>, outputs: object = {}): CommandInvocation => {
    const more = scopes.flatMap(({ name, scope: of }) => (scope[of] === undefined ? [] : [[name, scope[of]]]));
    return { ...asked, input: { ...input, ...outputs, ...Object.fromEntries(more) } };
  };
  return {
    api: context.api,
    path,
    changes: isChanging(command, input),
    deletes: command.deletes?.(input) ?? command.requests.some(isDeletion),
    finds: input.exit_code === true,
    repeatable:
      command.repeatable?.(input) ?? command.requests.every(({ method, once }) => !once && isRepeatable(method)),
    registry: command.requests.some(({ base }) => base === "registry"),
    secrets: [...secretTexts(command.params, input), ...(command.secretsIn?.(input) ?? [])],
    outputs: outputsOf(command, input),
    bytes: command.requests.some(({ returns }) => returns === "bytes"),
    scopes: scopes.map(({ scope }) => scope),
    typedScopes: scopes.filter(({ name }) => typed(name)).map(({ scope }) => scope),
    scope: () => {
      const resolved = scopes.length === 0 ? input : resolvedOrTyped(command.params, input, context.config);
      return Object.fromEntries(scopes.map(({ name, scope }) => [scope, resolved[name] as string | undefined]));
    },
    ...idsIn(command, input),
    idInFiles: async () => command.idInFiles?.({ ...context, stdin: sharedStdin(context.stdin) }, input as never),
    rest: Object.fromEntries(
      Object.entries({ ...input, ...relative }).filter(([name]) => !scopes.some((scope) => scope.name === name)),
    ),
    globals: Object.keys(globals).filter((name) => globals[name] !== undefined && globals[name] !== false),
    yes: globals.yes === true,
    reads: [
      ...named.flatMap(({ writes, path, isFolder }) => (writes === undefined && !isFolder ? path : [])),
      ...(readsStdin(command, input) ? ["-"] : []),
    ],
    replaces: named.flatMap(({ writes, path, isFolder }) =>
      (writes === "whole" || writes === "value") && !isFolder ? path : [],
    ),
    reports: named.flatMap(({ writes, path }) => (writes === "value" ? path : [])),
    run: ({ scope = {}, outputs, machine, yes, answer, watch, afterWait }, read) => {
      const api = context.api.fork({ ...(afterWait && { afterWait }) });
      watch?.(api.made);
      const how = { yes: yes || globals.yes === true, ...(answer && { answer }), read };
      return run({ ...context, ...machine, api }, filledIn(scope, outputs), how);
    },
    question: async (scope, outputs) => {
      // Whatever it would send before it asks is not sent.
      const api = context.connect({ ...context.config, dryRun: true });
      const answer = (question: InnerQuestion) => {
        throw new Asking(question);
      };
      try {
        const read = async () => undefined;
        await run({ ...context, api }, filledIn(scope, outputs), { yes: false, answer, read });
      } catch (error) {
        if (error instanceof Asking) return error.question;
        throw error;
      }
      return undefined;
    },
  };
}

/** Thrown in place of a question. */
class Asking {
  readonly question: InnerQuestion;
  constructor(question: InnerQuestion) {
    this.question = question;
  }
}

/** The files and folders that a command writes, by flag or argument, and a folder that it reads. */
function outputsOf({ args, params }: Command, input: CommandInvocation["input"]): Record<string, string> {
  const given = Object.entries({ ...args, ...params }).flatMap(([name, { completes, writes }]) => {
    const text = input[name];
    const isOutput = writes === "whole" || completes === "directory";
    return isOutput && typeof text === "string" ? [[name, text] as const] : [];
  });
  return Object.fromEntries(given);
}

/** What was typed by its ID, which is another project, group, or object on each instance. */
function idsIn({ args, params, idsIn: inTexts }: Command, input: CommandInvocation["input"]) {
  const found = Object.entries({ ...args, ...params }).flatMap(([name, field]) => {
    const forms = [field, field.item];
    const isPlace = forms.some((form) =>
      [form?.names, form?.completes].some((of) => of === "project" || of === "group"),
    );
    const isObject = forms.some(
      (form) => form?.kind === "id" || form?.names !== undefined || form?.completes === "upload",
    );
    const ids = isPlace || isObject ? [input[name]].flat().map(String).filter(isTypedId) : [];
    return ids.map((id) => ({ id, isPlace }));
  });
  const [placeIds, otherIds] = [true, false].map((isPlace) => found.filter((each) => each.isPlace === isPlace));
  const idsOf = (list: typeof found = []) => list.map(({ id }) => id);
  return { placeIds: idsOf(placeIds), otherIds: [...idsOf(otherIds), ...(inTexts?.(input) ?? [])] };
}

/** A missing scope is reported when the command runs. */
function resolvedOrTyped(...[params, input, config]: Parameters<typeof resolveScope>): Record<string, unknown> {
  try {
    return resolveScope(params, input, config);
  } catch (error) {
    if (error instanceof UsageError) return input;
    throw error;
  }
}

/** A task that shows nothing: the outer command shows progress. */
const silent = { update: () => undefined, stop: () => undefined };

type Read<T> = (view: View | ExitView | undefined) => Promise<T>;

async function run<T>(
  outer: Context,
  asked: CommandInvocation,
  { yes, answer, read }: { yes: boolean; answer?: Context["answer"]; read: Read<T> },
): Promise<T> {
  const context: Context = {
    ...outer,
    ...(answer && { answer }),
    stdin: sharedStdin(outer.stdin),
    config: { ...outer.config, yes, interactive: false },
    prompt: { ...outer.prompt, available: false },
    progress: { start: () => silent },
    notice: () => undefined,
    closing: () => undefined,
    ifCutOff: () => undefined,
  };
  try {
    return await read(await viewOf(context, asked));
  } catch (error) {
    if (error instanceof DryRunStop) {
      const shown = await read(plannedView(context));
      // The requests do not say what would be left besides.
      if (error.failure !== undefined) throw error.failure.with({ code: "would_be_partial" });
      return shown;
    }
    if (!(error instanceof Failure)) throw error;
    if (error instanceof UsageError) error.command ??= asked.path.join(" ");
    const stored = storedView(asked.command, error);
    if (stored !== undefined) await read(stored).catch(() => undefined);
    throw unlessUntouched(await withNextStep(context, error, asked), context);
  }
}

/** Ctrl-C after the first of several changes: the error must not say that nothing was started. */
function unlessUntouched(error: Failure, { api }: Context): Failure {
  const isOpen = error.exit === "interrupted" && error.details.outcome === undefined && api.made.length > 0;
  return isOpen ? error.with({ outcome: "made" }) : error;
}
