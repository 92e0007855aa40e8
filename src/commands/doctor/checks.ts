import { Broken } from "../../api/transport/broken.ts";
import { type ExitName, Failure } from "../../base/errors.ts";
import type { Context } from "../../context.ts";

export const results = ["ok", "warn", "fail", "skipped"] as const;

/** What a check found. */
export interface Finding {
  result: (typeof results)[number];
  detail: string;
  /** What to do about it: every failure has one. */
  hint?: string | undefined;
  /** What a failure stands for as an exit code. */
  exit?: ExitName;
  /** The check that failed, where this one was skipped for it. */
  because?: string;
}

/** One thing to look at. Its name is what scripts know it by. */
export interface Check {
  name: string;
  /** It sends something, which `--offline` forbids. */
  sends?: true;
  /** Checks before it that it cannot do without. */
  needs?: readonly string[];
  /** Those that it only waits for. */
  after?: readonly string[];
  /** What to do about a failure that has no hint of its own. */
  hint: string;
  run(signal: AbortSignal): Promise<Finding>;
}

export interface Found extends Finding {
  check: string;
}

interface Conditions {
  offline: boolean;
  /** So long one check may take, in milliseconds. */
  limitMs: number;
}

/** Runs checks side by side, each once those that it needs are done, and gives what they find in their order. */
export async function* examine(
  context: Context,
  checks: readonly Check[],
  conditions: Conditions,
): AsyncGenerator<Found> {
  const underWay = new Map<string, Promise<Finding>>();
  const ended = new AbortController();
  for (const check of checks) {
    const finding = perform(context, check, { ...conditions, underWay, ended: ended.signal });
    finding.catch(() => undefined);
    underWay.set(check.name, finding);
  }
  try {
    for (const [check, finding] of underWay) yield { check, ...(await finding) };
  } finally {
    ended.abort();
  }
}

interface Examination {
  /** What each check before this one finds. */
  underWay: ReadonlyMap<string, Promise<Finding>>;
  /** Aborted when the remaining results are no longer needed. */
  ended: AbortSignal;
}

async function perform(
  context: Context,
  check: Check,
  { offline, limitMs, underWay, ended }: Conditions & Examination,
): Promise<Finding> {
  const { needs = [], after = [] } = check;
  if (check.sends && offline) return { result: "skipped", detail: "--offline: nothing is sent" };
  for (const name of after) await underWay.get(name);
  for (const name of needs) {
    const before = await underWay.get(name);
    if (before?.result !== "fail" && before?.result !== "skipped") continue;
    const because = before.because ?? name;
    return {
      result: "skipped",
      detail: `${because} ${before.because || before.result === "fail" ? "failed" : "was skipped"}`,
      because,
    };
  }
  return within(context, check, { limitMs, ended });
}

/** One that hangs fails once its time is over, and holds nothing else up. */
async function within(
  context: Context,
  check: Check,
  { limitMs, ended }: Pick<Conditions & Examination, "limitMs" | "ended">,
): Promise<Finding> {
  const over = new AbortController();
  const done = new AbortController();
  const late = context.sleep(limitMs, done.signal).then((): Finding => {
    over.abort();
    return { result: "fail", exit: "network", detail: `no result within ${limitMs / 1000} s`, hint: check.hint };
  });
  const result = check.run(AbortSignal.any([over.signal, ended]));
  for (const each of [late, result]) each.catch(() => undefined);
  try {
    return await Promise.race([result, late]);
  } catch (error) {
    if (!(error instanceof Failure) || error.exit === "interrupted") throw error;
    return failed(error, check.hint);
  } finally {
    done.abort();
  }
}

/** What other commands say at the end of a hint. */
const toHere = /: forgectl doctor$/;

/** A failure as a finding. */
export function failed({ exit, message, details }: Failure, hint: string): Finding {
  const detail = details.reason === undefined ? message : `${message}: ${details.reason}`;
  // More time is seldom what a silent server needs.
  const isLate = details.cause instanceof Broken && details.cause.timedOut;
  return { result: "fail", exit, detail, hint: isLate ? hint : (details.hint ?? hint).replace(toHere, "") };
}

export function ok(detail: string, hint?: string): Finding {
  return { result: "ok", detail, hint };
}

export function warn(detail: string, hint: string): Finding {
  return { result: "warn", detail, hint };
}
