import { mayHaveBeenMade } from "../api/outcome.ts";
import { Failure } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { commandLine } from "../base/line.ts";
import { mask } from "../base/secrets.ts";
import type { Context } from "../context.ts";
import { waitFor } from "../verbs/poll.ts";
import { writableValues } from "./compare.ts";
import { type Change, fieldOf, isReference, type Live, type Step, type Values } from "./kind.ts";
import { type Comparison, compareLive, compareWith } from "./live.ts";
import type { Reader } from "./reader.ts";
import { sendStep } from "./requests.ts";
import { preimageOf } from "./row.ts";
import type { Status } from "./runs.ts";
import { isStorable } from "./secrecy.ts";

/** The outcome of a change, and the last known state of the object. */
export interface Made {
  readonly status: Status;
  readonly error: string | null;
  readonly live: Live | undefined;
  /** If the change is done: what ended the wait for it. */
  readonly failure: Failure | undefined;
}

export interface ApplyOptions {
  /** Seconds to wait until a read of the settings shows the written values; settings are cached. */
  readonly waitSeconds: number | undefined;
}

/** How long a change may take to become visible. */
const settleMs = 5000;
const settleStepMs = 250;

/** Checks the object of a change, sends its requests, and checks again. A failed request is thrown. */
export async function make(context: Context, reader: Reader, change: Change, options: ApplyOptions): Promise<Made> {
  const first = await compareLive(reader, change);
  if ("unreadable" in first) return { status: "failed", error: first.unreadable, live: undefined, failure: undefined };
  if (first.wanted && !sendsWriteOnly(change)) return done(first.live);
  if (!first.before) return stale(first.live);
  // A replaced object must not remain deleted because of Ctrl-C.
  const answer = await context.uninterrupted(() => send(context, reader, change));
  // Settings are cached, so the answer shows what was stored.
  if (change.kind.at !== "instance" || !isObject(answer)) return settled(context, reader, change);
  const seen = compareWith(change, [{ values: answer as Values }]);
  const made = madeOf(change, seen);
  if (made.status !== "done" || options.waitSeconds === undefined) return made;
  const unseen = await waitForCache(context, reader, change, options.waitSeconds);
  return unseen === undefined ? made : { ...made, error: `made; ${unseen.message}`, failure: unseen };
}

async function send(context: Context, reader: Reader, change: Change): Promise<unknown> {
  let answer: unknown;
  const steps = change.kind.steps(change);
  for (const [index, step] of steps.entries()) {
    const part = change.action !== "replace" ? "all" : index === 0 ? "removal" : "creation";
    try {
      answer = await sendOnce(context, reader, { change, step, part });
    } catch (error) {
      // From here on the old entry is deleted.
      if (part === "creation" && error instanceof Failure && !mayHaveBeenMade(error))
        throw await restore(context, change, error);
      throw error;
    }
  }
  return answer;
}

interface Sending {
  change: Change;
  step: Step;
  /** The part of the change; a replacement has two. */
  part: "all" | "removal" | "creation";
}

/** After a lost answer, checks, and resends a change that was not made. */
async function sendOnce(context: Context, reader: Reader, { change, step, part }: Sending): Promise<unknown> {
  try {
    return await sendStep(context, change, step);
  } catch (error) {
    if (error instanceof Failure && error.details.outcome === "made") return undefined;
    if (!mayHaveBeenMade(error)) throw error;
    const seen = await compareLive(reader, change).catch(() => undefined);
    if (seen === undefined || "unreadable" in seen) throw error;
    const missing = seen.live === undefined;
    if (seen.wanted || (part === "removal" && missing)) return undefined;
    const asBefore = part === "creation" ? missing : seen.before;
    if (!asBefore && !isRepeatable(step)) throw error;
    return sendStep(context, change, step);
  }
}

/** A PUT of the desired state is idempotent and may be resent. */
function isRepeatable({ endpoint }: Step): boolean {
  return endpoint.method === "PUT" && endpoint.once !== true;
}

/** Restores the old entry if the new one was refused; the change has still failed. */
async function restore(context: Context, change: Change, why: Failure): Promise<Failure> {
  if (change.live === undefined) return why;
  const values = writableValues(change.kind, change.live.values);
  const origin = change.desired?.origin ?? { file: "", line: 0 };
  const old = { ...change, action: "create" as const, desired: { values, origin } };
  const reason = failureText(why);
  try {
    for (const step of change.kind.steps(old)) await sendStep(context, old, step);
    return withReason(why, `${reason}; the old one was restored`);
  } catch (error) {
    const lost = error instanceof Failure ? (error.details.reason ?? error.message) : String(error);
    return withReason(why, `${reason}; the old one could not be restored: ${lost}`);
  }
}

function withReason({ exit, message, details }: Failure, reason: string): Failure {
  const { fields: _, ...rest } = details;
  return new Failure(exit, message, { ...rest, reason });
}

/** The reason of a failure, with the field errors of a 400. */
export function failureText({ message, details: { reason, fields } }: Failure): string {
  const each = Object.entries(fields ?? {}).map(([name, texts]) => `${name}: ${texts.join(", ")}`);
  return each.length > 0 ? each.join("; ") : (reason ?? message);
}

/** Polls for a few seconds until the change is visible. */
async function settled(context: Context, reader: Reader, change: Change): Promise<Made> {
  const end = context.now().getTime() + settleMs;
  while (true) {
    const seen = await compareLive(reader, change);
    if ("unreadable" in seen) {
      const error = `it was sent, and could not be read again: ${seen.unreadable}`;
      return { status: "unknown", error, live: undefined, failure: undefined };
    }
    if (seen.wanted || context.now().getTime() >= end) return madeOf(change, seen);
    await context.sleep(settleStepMs);
  }
}

/** @returns what ended the wait early; the change has been made */
async function waitForCache(
  context: Context,
  reader: Reader,
  change: Change,
  limitSeconds: number,
): Promise<Failure | undefined> {
  try {
    await waitFor(context, {
      label: "waiting for settings to be in force",
      limitSeconds,
      resume: commandLine(["settings", "get", ...change.write]),
      check: async () => {
        const seen = await compareLive(reader, change);
        return "wanted" in seen && seen.wanted ? { done: true } : undefined;
      },
    });
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

function done(live: Live | undefined): Made {
  return { status: "done", error: null, live, failure: undefined };
}

function stale(live: Live | undefined): Made {
  const error = "it has changed since the plan was made";
  const failure = new Failure("conflict", error, { code: "stale", hint: "make a new plan, and apply it" });
  return { status: "stale", error, live, failure };
}

function madeOf(change: Change, { live, wanted, before, others }: Comparison): Made {
  if (wanted) return done(live);
  if (before && preimageOf(change, live?.values) !== undefined) {
    return {
      status: "not_taken",
      error: "the instance accepted the change, but nothing changed",
      live,
      failure: undefined,
    };
  }
  const shown = (name: string) =>
    isStorable(change, name, live?.values[name]) ? JSON.stringify(live?.values[name] ?? null) : mask;
  const kept = others.map((name) => `${name} as ${shown(name)}`);
  const [first] = others;
  const error =
    first === undefined
      ? "the instance accepted the change, but shows another value"
      : `the instance keeps ${kept.join(", ")}: write ${first}: ${shown(first)} in the file`;
  return { status: "altered", error, live, failure: undefined };
}

/** Fields that cannot be compared are sent because they were requested, not because they differ. */
function sendsWriteOnly({ kind, write, desired }: Change): boolean {
  return write.some(
    (name) =>
      fieldOf(kind, name).writeOnly || isReference(desired?.values[name]) || fieldOf(kind, name).form === "keys",
  );
}
