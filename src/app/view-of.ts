import type { Failure } from "../base/errors.ts";
import { loadGroup } from "../cli/load.ts";
import type { CommandInvocation } from "../cli/program.ts";
import type { Context } from "../context.ts";
import type { Command } from "../declare/command.ts";
import { isChanging } from "../declare/is-changing.ts";
import { resolveScope } from "../declare/scope.ts";
import { plannedPassage } from "../terminal/dry-run-view.ts";
import type { View } from "../terminal/view.ts";
import { withIds } from "../verbs/lookup.ts";
import { withInstance } from "./same-instance.ts";

/** Runs a command with its missing scopes filled in and returns its view, whose rows or record are of `returns`. */
export async function viewOf(
  context: Context,
  { command, input }: Pick<CommandInvocation, "command" | "path" | "input">,
) {
  const scoped = resolveScope(command.params, input, context.config, isChanging(command, input));
  const view = await command.run(context, (await withIds(context, command, scoped)) as never);
  return view === undefined || "exit" in view ? view : { entity: command.returns, ...view };
}

/** The requests that a dry run planned. */
export function plannedView({ api: { planned } }: Context): View {
  const more = (["headers", "file"] as const).filter((name) => planned.some((request) => request[name] !== undefined));
  return { rows: planned, columns: ["method", "url", "body", ...more], passage: plannedPassage };
}

/** What the instance has in place of what was sent: shown as the result would have been. */
export function storedView({ returns }: Command, { details: { stored, shownAs } }: Failure): View | undefined {
  return stored && { record: stored, ...(returns && { entity: returns }), ...shownAs };
}

/** The changes that were sent: method and path of each. */
interface Sent {
  /** Those that the instance has accepted. */
  readonly made: readonly string[];
  /** Those of which no answer says whether they were made. */
  readonly lost: readonly string[];
}

/**
 * Adds to an error the command that completes the rest of a bulk run; otherwise the outcome of the changes before it,
 * and the command that shows it. What it suggests is for the instance of this run.
 */
export async function withNextStep(
  context: Context,
  failure: Failure,
  typed: Omit<CommandInvocation, "kind" | "missing">,
  sent: Sent = { made: context.api.made, lost: [] },
): Promise<Failure> {
  return withInstance(context.config, await nextStep(context, failure, typed, sent));
}

async function nextStep(
  context: Context,
  failure: Failure,
  typed: Omit<CommandInvocation, "kind" | "missing">,
  { made, lost }: Sent,
): Promise<Failure> {
  const isMoved = failure.code === "moved";
  const { withNewPath } = isMoved ? await import("./new-place.ts") : { withNewPath: undefined };
  const error = (await withNewPath?.(context, failure, typed.input)) ?? failure;
  const { left = [], hint } = error.details;
  if (left.length > 0 && hint === undefined) {
    const { restHint } = await import("./rest-hint.ts");
    const rest = restHint({ ...typed, yes: typed.globals.yes === true }, left);
    if (rest !== undefined) return error.with({ hint: rest });
  }
  const { inspectLine, withOutcome } = await import("./outcome-hint.ts");
  const line = inspectLine(await loadGroup(typed.path[0] ?? ""), typed.path, typed.input);
  const look = `check before you run it again${line === undefined ? "" : `: forgectl ${line}`}`;
  return withOutcome(error, made, look, lost);
}
