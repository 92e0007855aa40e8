import { beforeAll, describe, expect, test } from "vitest";
import { randomState, seeded, shuffled } from "../support/random-state.ts";
import type { Result, Session } from "../support/session.ts";
import { expectTrueRows, stateTrials, textsLeftIn } from "../support/state-trial.ts";
import type { Moment } from "../support/stopping-proxy.ts";

// A random state, applied and rolled back once for each request and each thing that can go wrong there: what a row says
// is so on the instance, exit 0 means that all of it is, a rollback is finished by the same command, and no secret is
// in a file or in the output. A seeded part of them; FORGECTL_TEST_FAULTS=200 tries more, =all every one, and
// FORGECTL_FUZZ_SEED another state.

const { FORGECTL_TEST_FAULTS: asked = "1", FORGECTL_FUZZ_SEED: chosen = "100" } = process.env;
const trials = asked === "all" ? Number.POSITIVE_INFINITY : Number(asked);

const apply = "state apply -f state.yaml --prune --max-delete all --yes -o ndjson --retries 1".split(" ");
const rollback = "state rollback --yes -o ndjson --retries 1".split(" ");

/** Lost, cut, refused, failed, interrupted, killed, and an output that is closed. */
const faults: readonly Omit<Moment, "at">[] = [
  ...(["SIGINT", "SIGKILL", "cut", "torn", 500, 502] as const).flatMap((what) =>
    (["before", "after"] as const).map((when) => ({ when, what })),
  ),
  { when: "before", what: 403 },
  { when: "before", what: "closed" },
];

/** After these the outcome of a change is unknown to the run that made it. */
const isDoubt = (what: Moment["what"]) => what !== 403 && what !== "closed";

describe.each([
  ["as documented", {}, 0],
  ["as deployed", { asDeployed: true }, 1],
  ["with cached settings", { caches: true }, 2],
])("%s", (_, options, salt) => {
  const seed = Number(chosen) + salt;
  const { text, env } = withVariables(randomState(seed), seed % 2 === 0);
  let at: Awaited<ReturnType<typeof stateTrials>>;
  let before: string;
  const requests: Record<"apply" | "rollback", readonly string[]> = { apply: [], rollback: [] };
  beforeAll(async () => {
    at = await stateTrials({ ...options, env });
    const place = at.ready(text);
    before = await at.exported();
    requests.apply = (await at.run(place, apply)).requests;
    expect([...(await at.open(text))]).toEqual([]);
    requests.rollback = (await at.run(place, rollback)).requests;
    expect(await at.exported()).toBe(before);
  });

  /** Of a part, the first half is at changes, whose outcome is then in doubt: most requests are reads. */
  const moments = (phase: keyof typeof requests): Moment[] => {
    const all = requests[phase].flatMap((_, number) => faults.map((fault) => ({ at: number, ...fault })));
    if (trials >= all.length) return all;
    const mixed = shuffled(seeded(seed * 7919 + salt), all);
    const isChange = ({ at, what }: Moment) => !/^(?:GET|HEAD) /.test(requests[phase][at] ?? "") && isDoubt(what);
    const changes = mixed.filter(isChange).slice(0, Math.ceil(trials / 2));
    return [...changes, ...mixed.filter((moment) => !changes.includes(moment))].slice(0, trials);
  };

  const expectNoSecrets = (place: Session, { stdout, stderr }: Result, words: string) => {
    for (const left of [stdout, stderr, ...textsLeftIn(place)]) expect(left, words).not.toMatch(secrets);
  };

  /** The same command again, which nothing disturbs. */
  const expectUndone = async (place: Session, words: string) => {
    const back = await at.run(place, rollback);
    const story = `${words}\n${back.code} ${back.stdout}${back.stderr}`;
    // What is lost is secret, and said.
    if (back.code !== 0) expect(back.stderr, story).toContain("restored without the secrets");
    expectNoSecrets(place, back, story);
    expect(await at.exported(), story).toBe(before);
  };

  test("an apply that is disturbed at any request says what is so, and is undone", { timeout: 7_200_000 }, async () => {
    for (const moment of moments("apply")) {
      const place = at.ready(text);
      const applied = await at.run(place, apply, moment);
      const words = `seed ${seed} ${JSON.stringify(moment)} ${applied.code} ${applied.stderr}`;
      const isWhole = applied.code !== null && moment.what !== "closed";
      expectTrueRows(applied, { open: await at.open(text), isWhole, words });
      expectNoSecrets(place, applied, words);
      await expectUndone(place, words);
    }
  });

  test("a rollback that is disturbed at any request is finished by the same command", {
    timeout: 7_200_000,
  }, async () => {
    for (const moment of moments("rollback")) {
      const place = at.ready(text);
      await at.run(place, apply);
      const undone = await at.run(place, rollback, moment);
      const words = `seed ${seed} rollback ${JSON.stringify(moment)} ${undone.code} ${undone.stderr}`;
      if (undone.code === 0) expect(await at.exported(), words).toBe(before);
      expectNoSecrets(place, undone, words);
      await expectUndone(place, words);
    }
  });
});

/** What the secrets of the files look like. */
const secrets = /\b(?:token|value)-\d|secret-path/;

/** With secrets as the file has them, or in variables, as well as an address that is one. */
function withVariables(state: string, isReferring: boolean): { text: string; env: Record<string, string> } {
  if (!isReferring) return { text: state, env: {} };
  const env: Record<string, string> = { AUDIT_URL: "https://b.example/secret-path" };
  const text = state
    .replace(/\b(token|value): (\1-(\d))$/gm, (_, field: string, value: string, digit: string) => {
      const name = `${field}_${digit}`.toUpperCase();
      env[name] = value;
      return `${field}: { env: ${name} }`;
    })
    .replace(/url: https:\/\/\w\.example\/audit$/gm, "url: { env: AUDIT_URL }");
  return { text, env };
}
