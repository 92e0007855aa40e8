import { describe, expect, test } from "vitest";
import { engineFor, outcomeText } from "../support/engine.ts";
import { seeded } from "../support/random-state.ts";
import { sandboxSession } from "../support/session.ts";

// Settings that are objects. A rollback of any apply of them restores what was there before, keys that were added
// included, or says that it did not. More rounds: FORGECTL_TEST_ROUNDS.

const rounds = Number(process.env.FORGECTL_TEST_ROUNDS ?? 8);
const seeds = Array.from({ length: rounds }, (_, index) => index + 1);
const weights = "repository_storages_weighted";
const protection = "default_branch_protection_defaults";

/** Some of these keys, each with one of its values. */
function some(random: () => number, values: Readonly<Record<string, readonly unknown[]>>): Record<string, unknown> {
  const kept = Object.entries(values).filter(() => random() < 0.6);
  return Object.fromEntries(kept.map(([key, each]) => [key, each[Math.floor(random() * each.length)]]));
}

const levels = [30, 40].map((level) => [{ access_level: level }]);
const someWeights = (random: () => number) => some(random, { default: [0, 100], nas: [1, 50], tape: [2] });
const someProtection = (random: () => number) =>
  some(random, { allowed_to_push: levels, allowed_to_merge: levels, allow_force_push: [true, false] });

/** The instance, changed and read by another user than the engine's. */
async function instance(asDeployed: boolean) {
  const { sandbox } = await sandboxSession({ asDeployed });
  const token = sandbox.tokens.administrator;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const send = async (init: RequestInit = {}) => {
    const answer = await fetch(`${sandbox.url}/api/v4/application/settings`, { headers, ...init });
    expect(answer.status).toBe(200);
    const all = (await answer.json()) as Record<string, unknown>;
    return { [weights]: all[weights], [protection]: all[protection] };
  };
  const put = (settings: object) => send({ method: "PUT", body: JSON.stringify(settings) });
  return { put, read: () => send(), engine: engineFor(sandbox.url, token) };
}

const fileOf = (settings: object) => `forgectl: 1\nsettings: ${JSON.stringify(settings)}\n`;

describe.each([
  ["as documented", false],
  ["as deployed", true],
])("a rollback of an apply, %s", (_, asDeployed) => {
  test.each(seeds)("restores both settings, or says which it did not: seed %i", async (seed) => {
    const random = seeded(seed);
    const { put, read, engine } = await instance(asDeployed);
    const before = await put({ [weights]: someWeights(random), [protection]: someProtection(random) });
    const applied = await engine.apply(
      fileOf({ [weights]: someWeights(random), [protection]: someProtection(random) }),
    );
    expect(applied.filter(({ status }) => status !== "done").map(outcomeText)).toEqual([]);
    const back = await engine.rollback();
    const after = await read();
    const isSame = JSON.stringify(after, sortKeys) === JSON.stringify(before, sortKeys);
    expect([isSame, back.every(({ status }) => status === "done")]).toEqual([isSame, isSame]);
    // Only the documents have a setting whose parts stay.
    expect(isSame || !asDeployed).toBe(true);
    expect(Object.keys(after[weights] as object).sort()).toEqual(Object.keys(before[weights] as object).sort());
  });
});

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

test("a key that another user added since is a conflict, and stays", async () => {
  const { put, read, engine } = await instance(true);
  await put({ [weights]: { default: 100 } });
  await engine.apply(fileOf({ [weights]: { nas: 50 } }));
  await put({ [weights]: { default: 100, nas: 50, tape: 1 } });
  await expect(engine.rollback()).rejects.toMatchObject({ exit: "conflict" });
  expect((await read())[weights]).toEqual({ default: 100, nas: 50, tape: 1 });
});
