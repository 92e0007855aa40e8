import { Broken } from "../../api/transport/broken-exchange.ts";
import { type ExitName, Failure } from "../../base/errors.ts";
import type { Context } from "../../context.ts";

export const results = ["ok", "warn", "fail", "skipped"] as const;

/** What a check found. */
export interface Finding {
  result: (typeof results)[number];
  detail: string;
  /** What to do about it: every failure has one. */
  hint?: string | undefined;
  /** The exit code of a failure. */
  exit?: ExitName;
  /** The failed check because of which this one was skipped. */
  because?: string;
}

/** One check. Scripts identify it by its name. */
export interface Check {
  name: string;
  /** It sends something, which `--offline` forbids. */
  sends?: true;
  /** Earlier checks that must succeed first. */
  needs?: readonly string[];
  /** Earlier checks that it only waits for. */
  after?: readonly string[];
  /** The hint for a failure that has none. */
  hint: string;
  run(signal: AbortSignal): Promise<Finding>;
}

export interface Found extends Finding {
  check: string;
}

interface Conditions {
  offline: boolean;
  /** Maximum duration of one check, in milliseconds. */
  limitMs: number;
}

/** Runs checks concurrently, each after those that it needs, and yields their findings in the declared order. */
export async function* examine(
  context: Context,
  checks: readonly Check[],
  conditions: Conditions,
): AsyncGenerator<Found> {
  const findings = new Map<string, Promise<Finding>>();
  const ended = new AbortController();
  for (const check of checks) {
    const finding = perform(context, check, { ...conditions, findings, ended: ended.signal });
    finding.catch(() => undefined);
    findings.set(check.name, finding);
  }
  try {
    for (const [check, finding] of findings) yield { check, ...(await finding) };
  } finally {
    ended.abort();
  }
}

interface Examination {
  /** The findings of the earlier checks. */
  findings: ReadonlyMap<string, Promise<Finding>>;
  /** Aborted when the remaining results are no longer needed. */
  ended: AbortSignal;
}

async function perform(
  context: Context,
  check: Check,
  { offline, limitMs, findings, ended }: Conditions & Examination,
): Promise<Finding> {
  const { needs = [], after = [] } = check;
  if (check.sends && offline) return { result: "skipped", detail: "--offline: nothing is sent" };
  for (const name of after) await findings.get(name);
  for (const name of needs) {
    const before = await findings.get(name);
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

/** A check that hangs fails after its time limit, without blocking the others. */
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

/** The end of a hint that points here. */
const suggestsDoctor = /: forgectl doctor$/;

/** A failure as a finding. */
export function failed({ exit, message, details }: Failure, hint: string): Finding {
  const detail = details.reason === undefined ? message : `${message}: ${details.reason}`;
  // A longer timeout rarely helps if a server does not answer.
  const isLate = details.cause instanceof Broken && details.cause.timedOut;
  return { result: "fail", exit, detail, hint: isLate ? hint : (details.hint ?? hint).replace(suggestsDoctor, "") };
}

export function ok(detail: string, hint?: string): Finding {
  return { result: "ok", detail, hint };
}

export function warn(detail: string, hint: string): Finding {
  return { result: "warn", detail, hint };
}
