import { type CallOptions, DryRunStop } from "../../api/api.ts";
import { isNotFound } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { ownValue } from "../../base/own-value.ts";
import { mask } from "../../base/secrets.ts";
import type { Context } from "../../context.ts";
import { numericProject } from "../../verbs/lookup.ts";
import { requireReference } from "../fields/references.ts";
import { hiddenBy, withReferences } from "../fields/secrecy.ts";
import { referenceText } from "../keys.ts";
import { type Change, fieldOf, isReference, type StateField, type Values } from "../kind.ts";
import { isWrite } from "../plan/plan.ts";
import { recallWrites } from "../runs/recent-writes.ts";
import type { Step } from "../step.ts";
import { narrows, phases, scopeKey, unpreparedIn } from "./phases.ts";

/**
 * Sends a request of a change, reading its secrets now; undefined if the instance lacks the request.
 *
 * @param how.afterWait throws after a wait if the request must not be sent anymore
 * @param how.onRepeated called if it was sent again, so that an earlier attempt may still be made
 */
export async function sendStep(
  context: Context,
  change: Change,
  step: Step,
  how: Pick<CallOptions, "afterWait" | "onRepeated"> = {},
): Promise<unknown> {
  concealLive(context, change);
  const input = await placed(context, change, step, await withSecrets(context, change, step.input));
  try {
    // The plan compares the object by itself afterwards.
    return await context.api.call(step.endpoint, input as never, { unchecked: true, ...how });
  } catch (error) {
    if (step.optional && isNotFound(error)) return undefined;
    const whole = await completed(context, change, step, error);
    if (whole === undefined) throw error;
    // What is sent back may be outdated after a wait.
    return sendStep(context, change, whole, { ...how, afterWait: () => Promise.reject(error) });
  }
}

/** The request with what its refusal names as missing; undefined if that may have been changed a moment ago. */
async function completed(context: Context, change: Change, step: Step, refusal: unknown): Promise<Step | undefined> {
  const { kind, live } = change;
  if (live === undefined || step.completed?.(refusal, live.values) === undefined) return undefined;
  // There may have been a question or a wait since it was read.
  const now = await context.api.call(kind.read.endpoint, {} as never).catch(() => undefined);
  if (!isObject(now)) return undefined;
  const recalled = await recallWrites(context, kind, { values: now });
  const { values } = recalled?.live ?? { values: now };
  const known = Object.entries(values).filter(([name]) => recalled?.unsure.includes(name) !== true);
  const whole = step.completed(refusal, Object.fromEntries(known));
  if (whole !== undefined) context.notice(whole.text);
  return whole?.step;
}

/**
 * A hidden address that is sent back as it is may be repeated in an error; other texts may be any word, and a part of
 * the instance's own address is in every line to be pasted.
 */
function concealLive(context: Context, change: Change): void {
  const own = context.config.baseUrl?.value ?? "";
  for (const name of hiddenBy(change)) {
    const value = change.live?.values[name];
    if (typeof value === "string" && value.includes("://") && !own.startsWith(value)) context.conceal(value);
  }
}

/** Plans the requests of the changes, in order, as a dry run. */
export async function planRequests(context: Context, changes: readonly Change[]): Promise<void> {
  const unprepared = unpreparedIn(changes);
  const isWithheld = (change: Change) => narrows(change) && unprepared.has(scopeKey(change));
  for (const { scopes } of phases(changes)) {
    for (const change of scopes.flat().filter((each) => !isWithheld(each))) {
      for (const step of change.kind.steps(withoutTexts(change))) await dryRun(context, change, step);
    }
  }
}

/** The change with references in place of the secret texts that were read from them. */
function withoutTexts(change: Change): Change {
  const { desired, kind } = change;
  return desired === undefined ? change : { ...change, desired: { ...desired, values: withReferences(kind, desired) } };
}

/** Checks that every secret that would be sent exists, without sending anything. */
export async function requireSecrets(context: Context, changes: readonly Change[]): Promise<void> {
  for (const change of changes.filter(isWrite)) {
    for (const step of change.kind.steps(change)) await withSecrets(context, change, step.input);
  }
}

async function dryRun(context: Context, change: Change, step: Step): Promise<void> {
  try {
    const input = await placed(context, change, step, withoutLive(change, shownInput(step.input) as Values));
    await context.api.call(step.endpoint, input as never);
  } catch (error) {
    if (!(error instanceof DryRunStop)) throw error;
  }
}

/** What a variable or a file gives is secret, and so is what the object has there, which may be sent back. */
function withoutLive(change: Change, input: Values): Values {
  const isLive = (name: string) => typeof input[name] === "string" && input[name] === change.live?.values[name];
  const hidden = hiddenBy(change).filter(isLive);
  return { ...input, ...Object.fromEntries(hidden.map((name) => [name, mask])) };
}

/** Some routes take the ID of a project only; the plan has looked it up. */
async function placed(context: Context, { scope }: Change, { endpoint }: Step, input: Values): Promise<Values> {
  if (!endpoint.numeric || typeof input.project !== "string") return input;
  return { ...input, project: String(scope.id ?? (await numericProject(context, input.project))) };
}

/** A dry run shows a reference in place of a secret, which need not exist. */
function shownInput(value: unknown): unknown {
  if (isReference(value)) return referenceText(value);
  if (Array.isArray(value)) return value.map(shownInput);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shownInput(each)]));
}

async function withSecrets(context: Context, change: Change, input: Values): Promise<Values> {
  const resolve = async (value: unknown, field: StateField | undefined): Promise<unknown> => {
    if (isReference(value)) return requireReference(context, value, field);
    if (Array.isArray(value)) return Promise.all(value.map((each) => resolve(each, field)));
    if (!isObject(value)) return value;
    // The value of a header is a field of its item, not of the kind.
    const fieldAt = (key: string) => ownValue(field?.item, key) ?? fieldOf(change.kind, key);
    const entries = Object.entries(value).map(async ([key, each]) => [key, await resolve(each, fieldAt(key))] as const);
    return Object.fromEntries(await Promise.all(entries));
  };
  return (await resolve(input, undefined)) as Values;
}
