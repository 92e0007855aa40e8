import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Scope } from "../../src/state/kind.ts";
import { isWrite } from "../../src/state/plan.ts";
import { addressOfChange } from "../../src/state/row.ts";
import { engineFor } from "../support/engine.ts";
import { randomState, seeded } from "../support/random-state.ts";
import { type Result, type Session, sandboxSession, session } from "../support/session.ts";
import { snapshotOf } from "../support/snapshot.ts";
import { type Moment, stoppable } from "../support/stopping-proxy.ts";

// Random states, applied and rolled back while something goes wrong at a random request: what a row says is so on the
// instance, exit 0 means that all of it is, a rollback is finished by the same command, and no secret is in a file.
// More rounds: FORGECTL_TEST_ROUNDS; others: FORGECTL_FUZZ_SEED.

const rounds = Number(process.env.FORGECTL_TEST_ROUNDS ?? 6);
const first = Number(process.env.FORGECTL_FUZZ_SEED ?? 100);

const scopes: readonly Scope[] = [
  { at: "instance", name: "" },
  { at: "group", name: "acme" },
  { at: "group", name: "acme/platform" },
  { at: "project", name: "acme/storefront" },
  { at: "project", name: "acme/docs" },
];

const apply = "state apply -f state.yaml --prune --max-delete all --yes -o ndjson --retries 1".split(" ");
const rollback = "state rollback --yes -o ndjson --retries 1".split(" ");

let admin: Awaited<ReturnType<typeof sandboxSession>>;
let proxy: Awaited<ReturnType<typeof stoppable>>;
let restore: Awaited<ReturnType<typeof snapshotOf>>;
beforeAll(async () => {
  admin = await sandboxSession();
  proxy = await stoppable(admin.sandbox.url);
  restore = await snapshotOf(admin.sandbox);
});

/** What goes wrong, mostly where an apply or a rollback makes its changes. */
function chosen(random: () => number): { moment: Moment; closes: boolean } {
  const all = ["SIGINT", "SIGKILL", "cut", "torn", 403, 500, 502] as const;
  const what = all[Math.floor(random() * all.length)] as Moment["what"];
  const when = random() < 0.5 || what === 403 ? "before" : "after";
  return { moment: { at: Math.floor(random() * 70), when, what }, closes: random() < 0.2 };
}

interface Row {
  address: string;
  action: string;
  status: string;
}

/** The rows by address; settings have two, of which the one that is not done counts. */
function rowsOf({ stdout }: Result): Map<string, string> {
  const rows = stdout.split("\n").filter((line) => line.endsWith("}"));
  const statuses = new Map<string, string>();
  for (const { address, status } of rows.map((line) => JSON.parse(line) as Row)) {
    const isBetter = statuses.has(address) && (status === "done" || status === "unchanged");
    if (!isBetter) statuses.set(address, status);
  }
  return statuses;
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

function expectNoSecrets(place: Session, { stdout, stderr }: Result, words: string) {
  const kept = filesBelow(join(place.home, ".local")).map((path) => readFileSync(path, "utf8"));
  for (const text of [stdout, stderr, ...kept]) expect(text, words).not.toMatch(/\b(?:token|value)-\d/);
}

/** Compares what the rows say with what a plan past the proxy finds. */
async function expectTrue(
  engine: ReturnType<typeof engineFor>,
  text: string,
  { closes, ...result }: Result & { closes: boolean },
  words: string,
) {
  const isWhole = result.code !== null && !closes;
  const open = new Set((await engine.plan(text)).changes.filter(isWrite).map(addressOfChange));
  if (result.code === 0) expect([...open], words).toEqual([]);
  for (const [address, status] of rowsOf(result)) {
    // The second row of the settings is missing where the output ended before.
    if ((status === "done" || status === "unchanged") && (address !== "#settings" || isWhole))
      expect(open.has(address), `${words} ${address}`).toBe(false);
    // It was not done, so it is still to do.
    if (["refused", "not_tried", "skipped", "not_taken"].includes(status))
      expect(open.has(address), `${words} ${address} ${status}`).toBe(true);
    expect(status, words).not.toBe("failed");
  }
}

test.each(Array.from({ length: rounds }, (_, index) => first + index))("seed %i", { timeout: 60_000 }, async (seed) => {
  restore();
  const random = seeded(seed * 7919);
  const place = session({ FORGECTL_BASE_URL: proxy.url, FORGECTL_TOKEN: admin.sandbox.tokens.administrator });
  const engine = engineFor(admin.sandbox.url, admin.sandbox.tokens.administrator);
  const text = randomState(seed);
  writeFileSync(join(place.home, "state.yaml"), text);
  const before = await engine.exported(scopes);

  const making = chosen(random);
  const applied = await proxy.run(place, apply, making.moment, making.closes);
  const words = `${JSON.stringify(making)} ${applied.code} ${applied.stderr}`;
  await expectTrue(engine, text, { ...applied, closes: making.closes }, words);
  expectNoSecrets(place, applied, words);

  const undoing = chosen(random);
  const stopped = await proxy.run(place, rollback, undoing.moment, undoing.closes);
  const back = await place.run(...rollback);
  const story = `${words}\n${JSON.stringify(undoing)} ${stopped.code} ${stopped.stderr}\n${back.stdout}${back.stderr}`;
  // What is lost is secret, and said.
  if (back.code !== 0) expect(back.stderr, story).toContain("restored without the secrets");
  expectNoSecrets(place, back, story);
  expect(await engine.exported(scopes), story).toBe(before);
});
