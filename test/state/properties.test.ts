import { describe, expect, test } from "vitest";
import { sectionName } from "../../src/state/keys.ts";
import type { Change } from "../../src/state/kind.ts";
import { kinds } from "../../src/state/kinds/index.ts";
import { isWrite } from "../../src/state/plan/plan.ts";
import { alteringSession, type Exchange } from "../support/altering-proxy.ts";
import { engineFor, outcomeText } from "../support/engine.ts";
import { randomState, seeded, shuffled } from "../support/random-state.ts";
import { requestsIn, sandboxSession } from "../support/session.ts";
import { scopes } from "../support/state-trial.ts";

// Properties of the state engine over random files: after an apply the plan is empty, a second apply sends nothing, a
// rollback restores the first export, and a plan sends only GET. More rounds: FORGECTL_TEST_ROUNDS.

const rounds = Number(process.env.FORGECTL_TEST_ROUNDS ?? 2);
const seeds = Array.from({ length: rounds }, (_, index) => index + 1);

/** `direct` is the address without the proxy. */
async function checkProperties(seed: number, url: string, token: string, log: string[], direct = url): Promise<void> {
  const engine = engineFor(url, token);
  const plain = engineFor(direct, token);
  const text = randomState(seed);
  const before = await plain.exported(scopes);
  const own = await engine.plan(await engine.exported(scopes));
  expect(own.changes.map(shown), "a plan of an export").toEqual([]);
  requestsIn(log);
  const plan = await engine.plan(text);
  expect(requestsIn(log).filter((line) => !line.startsWith("GET "))).toEqual([]);
  const outcomes = await engine.carryOut(plan);
  expect(outcomes.filter(({ status }) => status !== "done").map(outcomeText)).toEqual([]);

  requestsIn(log);
  const after = await engine.plan(text);
  expect(after.changes.map(shown), "a plan after the apply").toEqual([]);
  expect(await engine.apply(text)).toEqual([]);
  expect(requestsIn(log).filter((line) => !line.startsWith("GET "))).toEqual([]);

  if (!plan.changes.some(isWrite)) return;
  const back = await engine.rollback();
  expect(back.filter(({ status }) => status !== "done").map(outcomeText)).toEqual([]);
  expect(await plain.exported(scopes)).toBe(before);
}

function shown({ scope, kind, key, action, write }: Change): unknown {
  return [scope.name, kind.name, key, action, write];
}

test("random states hold every kind, and every kind with nothing in it", () => {
  const texts = Array.from({ length: 40 }, (_, index) => randomState(index + 1)).join("\n");
  for (const kind of kinds) {
    const [name, part] = [
      sectionName(kind),
      kind.at === "group" ? "groups:" : kind.at === "project" ? "projects:" : "",
    ];
    const within = texts
      .split(/^(?=\w+:)/m)
      .filter((each) => each.startsWith(part))
      .join("");
    expect(within, kind.name).toMatch(new RegExp(`^ *${name}:`, "m"));
    if (kind.form === "list") expect(within, `${name} without entries`).toMatch(new RegExp(`^ *${name}: \\[\\]$`, "m"));
  }
});

describe.each([
  ["as documented", false],
  ["as deployed", true],
])("the properties hold for random states, %s", (_, asDeployed) => {
  test.each(seeds)("seed %i", async (seed) => {
    const log: string[] = [];
    const { sandbox } = await sandboxSession({ asDeployed, log: (line) => log.push(line) });
    await checkProperties(seed, sandbox.url, sandbox.tokens.administrator, log);
  });
});

describe("the properties hold on an instance that answers in other forms", () => {
  test.each(seeds)("seed %i", async (seed) => {
    const log: string[] = [];
    const { env, direct } = await alteringSession(distorting(seed), { log: (line) => log.push(line) });
    await checkProperties(
      seed,
      env.FORGECTL_BASE_URL as string,
      direct.sandbox.tokens.administrator,
      log,
      direct.sandbox.url,
    );
  });
});

/**
 * Shuffles arrays, returns numbers as texts, null for an empty text and for the switch of an event that is off, a
 * mask for a secret, adds keys, answers 404 for an empty list, and once returns the state before a change.
 */
function distorting(seed: number) {
  const random = seeded(seed);
  const last = new Map<string, unknown>();
  const changed = new Set<string>();
  return ({ method, path, status, body }: Exchange) => {
    const list = path.replace(/\?.*/, "").replace(/\/\d+$/, "");
    if (method !== "GET") {
      if (!path.endsWith("/application/settings")) changed.add(list);
      return undefined;
    }
    if (path.includes("/application/settings") && typeof body === "object" && body !== null) {
      // A secret that is set is masked.
      body = { ...body, spamsvc_api_key: "********" };
    }
    if (status === 200 && Array.isArray(body) && body.length === 0 && path.includes("/ldap_group_links")) {
      return { status: 404, body: { message: "404 No linked LDAP groups found" } };
    }
    if (status !== 200) return undefined;
    const held = last.get(path);
    last.set(path, body);
    const isStale = held !== undefined && changed.delete(list);
    const answer = isStale ? held : body;
    // The content of a hash in the settings is not distorted.
    const keep = path.endsWith("/application/settings") ? hashesOf(answer) : {};
    const changedBody = distorted(answer, random);
    return { body: Array.isArray(changedBody) ? changedBody : { ...(changedBody as object), ...keep } };
  };
}

function hashesOf(settings: unknown): object {
  const entries = Object.entries(settings as object);
  return Object.fromEntries(entries.filter(([, value]) => typeof value === "object" && !Array.isArray(value)));
}

function distorted(value: unknown, random: () => number): unknown {
  if (Array.isArray(value))
    return shuffled(
      random,
      value.map((each) => distorted(each, random)),
    );
  if (typeof value === "number") return random() < 0.5 ? value : String(value);
  if (value === "") return random() < 0.5 ? null : "";
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => {
    const isOff = /_events$/.test(key) && each === false;
    return [key, isOff && random() < 0.5 ? null : distorted(each, random)];
  });
  return { ...Object.fromEntries(entries), brand_new: { nobody: ["knows"] } };
}
