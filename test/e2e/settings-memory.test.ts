import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { attack } from "../support/attack.ts";
import {
  type CachingInstance,
  cachingInstance,
  type Fate,
  fates,
  normal,
  type Values,
} from "../support/caching-instance.ts";
import { chanceOf, oneOf } from "../support/chance.ts";
import { runInProcess } from "../support/in-process.ts";
import { session } from "../support/session.ts";

// Random lines that change settings, typed within minutes, against an instance whose processes cache them and that
// loses answers: no line changes a setting that it does not name, and what it says of the values before, and of what
// it did, is so. More rounds: FORGECTL_TEST_ROUNDS, or `npm run attack`.

/** Each setting with its values, the first of which is there at the beginning. */
const settings: Readonly<Record<string, readonly unknown[]>> = {
  codesearch_enabled: [false, true],
  codesearch_url: ["https://a.example", "https://b.example", " https://c.example ", "https://u:pass-word@d.example"],
  spamsvc_enabled: [false, true],
  spamsvc_api_key: ["key-a", "key-b", "key-c"],
  unique_ips_limit_enabled: [false, true],
  unique_ips_limit_per_user: [1, 2, 3],
  unique_ips_limit_time_window: [1, 2, 3],
  // Not in the API's documents.
  mirror_enabled: [false, true],
  mirror_url: ["https://m.example", "https://n.example", "https://o.example"],
  terminal_max_session_time: [0, 5, 9],
  domain_allowlist: [[], ["a.example"], ["b.example", "a.example"], ["a.example", "b.example"]],
  sign_in_restrictions: [{ a: 1, b: 1 }, { a: 2 }, { b: 2 }, { a: 1 }, { b: 1 }, { a: 2, b: 2 }],
  after_sign_up_text: [null, "text", "other"],
};
const initial = Object.fromEntries(Object.entries(settings).map(([name, [first]]) => [name, first]));
const secret = "spamsvc_api_key";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-26T10:00:00Z") });
  // A wait for a change to show would take seconds.
  const elapsed = performance.now.bind(performance);
  let ahead = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    ahead += 400;
    return elapsed() + ahead;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const trials = attack(1);
const isAttack = process.env.FORGECTL_ATTACK_SECONDS !== undefined;
const rounds = Number(process.env.FORGECTL_TEST_ROUNDS ?? (isAttack ? 2000 : 6));
const first = 1000 * Number(process.env.FORGECTL_TEST_SEED ?? 1);
const seeds = Array.from({ length: rounds }, (_, index) => first + index);

test("no line changes what it does not name, nor says what is not so", { timeout: 3_600_000 }, async () => {
  for (const seed of trials.cells(seeds)) await sequence(seed);
});

async function sequence(seed: number): Promise<void> {
  const chance = chanceOf(seed);
  // As in the API's documents, or as instances are.
  const cached = chance() < 0.7;
  const place = await cachingInstance(seed, initial, cached);
  const { home, env: outer } = session({
    FORGECTL_BASE_URL: place.url,
    FORGECTL_TOKEN: "t0ken",
    FORGECTL_RETRIES: "0",
  });
  // Each process of the instance has a copy.
  for (let index = 0; index < 9; index += 1) await fetch(`${place.url}/api/v4/application/settings`);
  const log = [`seed ${seed}, ${cached ? "cached, with dates" : "neither cached nor dated"}`];
  const written: Values[] = [initial];
  const runs: Made[] = [];
  let undo = "";
  for (let step = 0; step < 10; step += 1) {
    vi.setSystemTime(Date.now() + oneOf([10, 300, 1000, 2000, 15_000, 100_000], chance));
    const how = oneOf(["set", "set", "set", "apply", "saved", "rollback", "undo"] as const, chance);
    const names = new Set([0, 1].slice(chance() < 0.5 ? 1 : 0).map(() => oneOf(Object.keys(settings), chance)));
    const wanted = Object.fromEntries([...names].map((name) => [name, oneOf(settings[name] ?? [], chance)]));
    const env = { ...outer, KEY: String(wanted[secret]) };
    const run = (args: readonly string[]) => runInProcess({ args, env, cwd: home });
    // Another user sets back what a line of this user has just changed.
    if (!cached && chance() < 0.5) {
      const back = changedBack(place.settings(), oneOf(written, chance));
      place.set(back);
      log.push(`another user: ${JSON.stringify(back)}`);
    }
    written.push(place.settings());
    const args = {
      set: setLine,
      apply: applyLine,
      saved: planLine,
      rollback: () => rollbackLine,
      undo: () => words(undo),
    };
    const line = args[how](wanted, home);
    if (line.length === 0) continue;
    place.meet("made");
    if (how === "saved") {
      await run(line);
      if (chance() < 0.3) await run(setLine({ codesearch_url: oneOf(settings.codesearch_url ?? [], chance) }));
    }
    const fate: Fate[] =
      chance() < (how === "set" ? 0.5 : 0.8) ? ["made"] : [oneOf(fates, chance), oneOf(fates, chance)];
    place.meet(...fate);
    const made = await observed(place, () => run(how === "saved" ? applyPlan : line));
    log.push(
      `${new Date().toISOString()} ${line.join(" ")} (${fate.join("; ")}) → ${made.code}`,
      made.stdout,
      made.stderr,
    );
    const named = how === "undo" ? settingsIn(line) : how === "rollback" ? undefined : wanted;
    const problems = named === undefined ? unlike(made, runs) : unnamed(made, named, how !== "undo");
    if (made.code === 0 && (how === "set" || how === "apply")) problems.push(...notThere(made, wanted));
    problems.push(...untrue(made));
    expect(problems, log.join("\n")).toEqual([]);
    if (how === "apply" || how === "saved") runs.push(made);
    undo = /^undo: forgectl (settings set .*)$/m.exec(made.stderr)?.[1] ?? undo;
  }
}

/** The settings of a list that differ from what they were. */
function changedBack(now: Values, then: Values): Values {
  const names = Object.keys(settings).filter((name) => !same(now[name], then[name]));
  return Object.fromEntries(names.map((name) => [name, then[name]]));
}

interface Made {
  readonly before: Values;
  readonly after: Values;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function observed(place: CachingInstance, run: () => ReturnType<typeof runInProcess>): Promise<Made> {
  const before = place.settings();
  const result = await run();
  return { before, after: place.settings(), ...result };
}

const rollbackLine = "settings rollback --yes --no-header".split(" ");
const applyPlan = "state apply --plan plan.json --yes --allow-lockout --no-header".split(" ");

function setLine(wanted: Values): string[] {
  return ["settings", "set", ...Object.entries(wanted).map(([name, value]) => `${name}=${textOf(value)}`), "--yes"];
}

function applyLine(wanted: Values, home: string): string[] {
  writeFileSync(join(home, "settings.yaml"), JSON.stringify(inFile(wanted)));
  return "settings apply -f settings.yaml --secrets always --yes --allow-lockout --no-header".split(" ");
}

function planLine(wanted: Values, home: string): string[] {
  writeFileSync(join(home, "state.yaml"), `forgectl: 1\nsettings: ${JSON.stringify(inFile(wanted))}\n`);
  rmSync(join(home, "plan.json"), { force: true });
  return "state plan -f state.yaml --save plan.json --secrets always".split(" ");
}

function inFile(wanted: Values): Values {
  return secret in wanted ? { ...wanted, [secret]: { env: "KEY" } } : wanted;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The words of a line in a shell. */
function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

/** The settings that a line names, as its texts say. */
function settingsIn(line: readonly string[]): Record<string, string> {
  const found = line.map((word) => /^(\w+)=(.*)$/s.exec(word) ?? []);
  return Object.fromEntries(found.flatMap(([, name, text]) => (name === undefined ? [] : [[name, text ?? ""]])));
}

/** What a line changed, with the value before; of a hash each key. */
function changesOf({ before, after }: Made): [name: string, was: unknown, is: unknown][] {
  const { updated_at: _, ...flat } = flattened(after);
  const old = flattened(before);
  return Object.entries(flat).flatMap(([name, is]) => (same(is, old[name]) ? [] : [[name, old[name], is]]));
}

function flattened({ sign_in_restrictions: hash, ...others }: Values): Values {
  const keys = Object.entries((hash ?? {}) as Values).map(([key, value]) => [`sign_in_restrictions.${key}`, value]);
  return { ...others, ...Object.fromEntries(keys) };
}

function unnamed(made: Made, named: Values, byKey: boolean): string[] {
  const names = Object.keys(byKey ? flattened(named) : named);
  const isNamed = (name: string) => names.includes(name) || (!byKey && names.includes(name.replace(/\..*/, "")));
  return changesOf(made).flatMap(([name, was, is]) =>
    isNamed(name) ? [] : [`${name} was changed from ${textOf(was)} to ${textOf(is)}, and was not named`],
  );
}

/** What a rollback changed, and no run had changed the other way round. */
function unlike(made: Made, runs: readonly Made[]): string[] {
  const isUndone = (name: string, was: unknown, is: unknown) =>
    runs.some((run) => same(flattened(run.before)[name], is) && same(flattened(run.after)[name], was));
  // What was there before the run was not certain, which it said.
  const doubted = runs.flatMap(
    ({ stderr }) => /cached, and (.*) may have been changed/.exec(stderr)?.[1]?.split(", ") ?? [],
  );
  return changesOf(made).flatMap(([name, was, is]) =>
    isUndone(name, was, is) || doubted.includes(name.replace(/\..*/, ""))
      ? []
      : [`the rollback changed ${name} from ${textOf(was)} to ${textOf(is)}`],
  );
}

function notThere({ after }: Made, wanted: Values): string[] {
  return Object.entries(wanted).flatMap(([name, value]) =>
    same(normal(after[name], value), after[name]) ? [] : [`exit 0, but ${name} is ${textOf(after[name])}`],
  );
}

/** What a line said of its effect, and of what was there before, and is not so. */
function untrue(made: Made): string[] {
  const { before, after, stdout, stderr } = made;
  const nothing = /^outcome: nothing was|\t(?:unchanged|refused|not_taken|not_tried|stale|unreadable)\t/m;
  // A rollback of what was changed warns besides that a lost change may still be made.
  const saysNothing = nothing.test(stdout + stderr) && !stdout.includes("\tdone\t");
  const back = settingsIn(words(/^undo: forgectl settings set .*$/m.exec(stderr)?.[0] ?? ""));
  const restored = (name: string, text: string) =>
    normal(after[name], typeof before[name] === "string" ? text : JSON.parse(text));
  return [
    ...(saysNothing && changesOf(made).length > 0 ? ["it says that nothing was changed"] : []),
    ...Object.entries(back).flatMap(([name, text]) =>
      same(restored(name, text), before[name]) ? [] : [`undo: ${name}=${text}, but it was ${textOf(before[name])}`],
    ),
  ];
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
