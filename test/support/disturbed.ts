import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { chanceOf } from "./chance.ts";
import { lossyProxy } from "./lossy-proxy.ts";
import { type Result, requestsIn, sandboxSession } from "./session.ts";

/** A command that makes many requests, and whose end is the same however it is disturbed. */
export interface Job {
  readonly name: string;
  readonly options?: SandboxOptions;
  /** Files of the working folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** Commands that come first. */
  readonly before?: readonly string[];
  /** As typed, without the program's name; words with blanks in them are in quotes. */
  readonly line: string;
  /** What shows the end. */
  readonly look: readonly string[];
}

/** How often each job is killed, and the seed of when: a failure names both. */
const kills = Number(process.env.FORGECTL_KILLS ?? 20);
const seed = Number(process.env.FORGECTL_FUZZ_SEED ?? 13);

/** Milliseconds before each answer, so that a kill finds requests under way. */
const latencyMs = 4;

const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

/** A fresh place for a job, with a count of the requests answered. */
async function ready(job: Job) {
  const log: string[] = [];
  const waiting: { count: number; reached(): void }[] = [];
  const heard = (line: string) => {
    log.push(line);
    for (const { count, reached } of waiting) if (log.length >= count) reached();
  };
  const place = await sandboxSession({ ...job.options, log: heard });
  for (const [name, content] of Object.entries(job.files ?? {})) writeFileSync(join(place.home, name), content);
  for (const line of job.before ?? []) expect(await place.run(...wordsOf(line))).toMatchObject({ code: 0 });
  log.splice(0);
  const end = async () => {
    const seen: string[] = [];
    for (const line of job.look) seen.push((await place.run(...wordsOf(line))).stdout);
    return seen;
  };
  const answered = (count: number) => new Promise<void>((reached) => waiting.push({ count, reached }));
  const run = (...more: Parameters<typeof place.run>) => place.run(...wordsOf(job.line), ...more);
  return { place, log, end, answered, run };
}

/** Changes that the instance took more than once, of those that do more each time. */
function twice(log: string[]): string[] {
  const made = requestsIn(log).filter((line) => /^(?:POST|PATCH|DELETE) .* 2\d\d$/.test(line));
  return made.filter((line, index) => made.indexOf(line) !== index);
}

async function undisturbed(job: Job) {
  const { run, log, end } = await ready(job);
  const result = await run();
  expect(result, job.name).toMatchObject({ code: 0 });
  const requests = log.length;
  expect(twice(log)).toEqual([]);
  return { requests, end: await end() };
}

/** Kills the job at random moments, each time in a fresh place, and runs it again: the end is that of a whole run. */
export async function expectToSurviveKills(job: Job): Promise<void> {
  const whole = await undisturbed(job);
  const chance = chanceOf(seed);
  let killed = 0;
  for (let round = 0; round < kills; round++) {
    const { run, log, end, answered } = await ready({ ...job, options: { ...job.options, latencyMs } });
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

/** One request fails in the middle, whichever: the job ends as if it had not. */
export async function expectToSurviveFaults(job: Job): Promise<void> {
  const whole = await undisturbed(job);
  const chance = chanceOf(seed);
  for (const how of ["429", "503", "reset", "504", "truncated"] as const) {
    for (let round = 0; round < 2; round++) {
      const { place, run, log, end } = await ready(job);
      const nth = 1 + Math.floor(chance() * whole.requests);
      const proxy = await lossyProxy(place.sandbox.url, { how, nth, of: () => true });
      const result: Result = await run({ env: { FORGECTL_BASE_URL: proxy.url } });
      const shown = JSON.stringify({ job: job.name, seed, how, nth, lost: proxy.lost, result });
      expect(proxy.lost, shown).toHaveLength(1);
      expect(result.code, shown).toBe(0);
      expect(twice(log), shown).toEqual([]);
      expect(await end(), shown).toEqual(whole.end);
    }
  }
}
