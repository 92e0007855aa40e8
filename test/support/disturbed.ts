import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { chanceOf } from "./chance.ts";
import { lossyProxy } from "./lossy-proxy.ts";
import { type Result, type RunOptions, requestsIn, sandboxSession } from "./session.ts";
import { runLine } from "./shell.ts";
import { snapshotOf } from "./snapshot.ts";

/** A command that makes many requests, and whose final state is the same despite any disturbance. */
export interface Job {
  readonly name: string;
  readonly options?: SandboxOptions;
  /** Files of the working folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** Preparatory commands. */
  readonly before?: readonly string[];
  /** As typed in a shell, without the program's name. */
  readonly line: string;
  /** The command that shows the final state. */
  readonly check: readonly string[];
}

/** How often each job is killed, and the seed of the times: a failure names both. Each fault comes twice with more. */
const kills = Number(process.env.FORGECTL_KILLS ?? 3);
const seed = Number(process.env.FORGECTL_FUZZ_SEED ?? 13);

/** Milliseconds before each answer, so that requests are in progress when it is killed. */
const latencyMs = 4;

/**
 * The environment of one run of a job: an instance and a folder in their initial state, and a count of its requests.
 */
interface Round {
  /** Lines of the requests answered. */
  readonly log: string[];
  run(...more: RunOptions[]): Promise<Result>;
  end(): Promise<string[]>;
  /** Waits until this many requests have been answered. */
  answered(count: number): Promise<void>;
}

/** One instance for all rounds of a job, reset to its initial state for each. */
async function instanceFor(job: Job) {
  let heard: (line: string) => void = () => {};
  const { sandbox, as } = await sandboxSession({ ...job.options, log: (line) => heard(line) });
  const arrive = () => {
    const place = as("administrator");
    for (const [name, content] of Object.entries(job.files ?? {})) writeFileSync(join(place.home, name), content);
    return place;
  };
  const first = arrive();
  for (const line of job.before ?? []) expect(await runLine(first, line)).toMatchObject({ code: 0 });
  const restore = await snapshotOf(sandbox);
  const ready = (): Round => {
    restore();
    const place = arrive();
    const log: string[] = [];
    const waiting: { count: number; reached(): void }[] = [];
    heard = (line) => {
      log.push(line);
      for (const { count, reached } of waiting) if (log.length >= count) reached();
    };
    return {
      log,
      run: (...more) => runLine(place, job.line, ...more),
      async end() {
        const seen: string[] = [];
        for (const line of job.check) seen.push((await runLine(place, line)).stdout);
        return seen;
      },
      answered: (count) => new Promise((reached) => waiting.push({ count, reached })),
    };
  };
  return { sandbox, ready };
}

/** Non-idempotent changes that the instance accepted more than once. */
function twice(log: string[]): string[] {
  const made = requestsIn(log).filter((line) => /^(?:POST|PATCH|DELETE) .* 2\d\d$/.test(line));
  return made.filter((line, index) => made.indexOf(line) !== index);
}

async function undisturbed(job: Job, { run, log, end }: Round) {
  const result = await run();
  expect(result, job.name).toMatchObject({ code: 0 });
  const requests = log.length;
  expect(twice(log)).toEqual([]);
  return { requests, end: await end() };
}

/**
 * Kills the job at random moments, each time from the initial state, and runs it again: the result must be that of a
 * complete run.
 */
export async function expectToSurviveKills(job: Job): Promise<void> {
  const { ready } = await instanceFor({ ...job, options: { ...job.options, latencyMs } });
  const whole = await undisturbed(job, ready());
  const chance = chanceOf(seed);
  let killed = 0;
  for (let round = 0; round < kills; round++) {
    const { run, log, end, answered } = ready();
    const count = 1 + Math.floor(chance() * whole.requests);
    const laterMs = chance() * 3 * latencyMs;
    const when = answered(count).then(() => new Promise((done) => setTimeout(done, laterMs)));
    const first = await run({ kill: { signal: "SIGKILL", when } });
    if (first.code === null) killed += 1;
    const again = await run();
    const shown = JSON.stringify({ job: job.name, seed, round, count, laterMs, first: first.code, again });
    expect(again.code, shown).toBe(0);
    expect(await end(), shown).toEqual(whole.end);
    expect(twice(log), shown).toEqual([]);
  }
  expect(killed).toBeGreaterThan(kills / 2);
}

/** Any one request fails in the middle: the job must end as if it had not. */
export async function expectToSurviveFaults(job: Job): Promise<void> {
  const { sandbox, ready } = await instanceFor(job);
  const whole = await undisturbed(job, ready());
  const chance = chanceOf(seed);
  for (const how of ["429", "503", "reset", "504", "truncated"] as const) {
    for (let round = 0; round < (kills > 3 ? 2 : 1); round++) {
      const { run, log, end } = ready();
      const nth = 1 + Math.floor(chance() * whole.requests);
      const proxy = await lossyProxy(sandbox.url, { how, nth, of: () => true });
      const result: Result = await run({ env: { FORGECTL_BASE_URL: proxy.url } });
      const shown = JSON.stringify({ job: job.name, seed, how, nth, lost: proxy.lost, result });
      expect(proxy.lost, shown).toHaveLength(1);
      expect(result.code, shown).toBe(0);
      expect(twice(log), shown).toEqual([]);
      expect(await end(), shown).toEqual(whole.end);
    }
  }
}
