import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { chanceOf } from "../support/chance.ts";
import { atEnd } from "../support/ending.ts";
import { binary, node, sandboxSession } from "../support/session.ts";

// Redelivering, killed at any time and run again with its journal: no event reaches its receiver twice, and none is
// lost silently. Seeded, so that a failure can be reproduced: FORGECTL_KILLS=100 does it more often, FORGECTL_FUZZ_SEED
// at other times.

const kills = Number(process.env.FORGECTL_KILLS ?? 4);
const chance = chanceOf(Number(process.env.FORGECTL_FUZZ_SEED ?? 13));
const count = 2 * kills;
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** By `Idempotency-Key`: how often it was accepted. */
const taken = new Map<string, number>();
let refusing = true;
let arrived = 0;
const server = createServer(async (request, response) => {
  for await (const _ of request);
  arrived += 1;
  const key = String(request.headers["idempotency-key"]);
  if (!refusing) {
    taken.set(key, (taken.get(key) ?? 0) + 1);
    await pause(chance() * 40);
  }
  response.writeHead(refusing ? 503 : 200).end();
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
atEnd(() => server.close());

const owner = await sandboxSession({ as: "owner", minuteMs: 1 });
const ask = async (path: string, json: object) => {
  const response = await fetch(`${owner.sandbox.url}/api/v4${path}`, {
    method: "POST",
    headers: { "private-token": owner.sandbox.tokens.owner, "content-type": "application/json" },
    body: JSON.stringify(json),
  });
  expect(response.status).toBe(201);
  return (await response.json()) as { id: number };
};

/** Runs it, and kills it some time after that many deliveries arrived, or after its start. */
async function cutOff(line: readonly string[], signal: NodeJS.Signals, after: number, laterMs: number) {
  const before = arrived;
  const child = spawn(node, [binary, ...line], {
    cwd: owner.home,
    env: owner.env as NodeJS.ProcessEnv,
    stdio: "ignore",
  });
  const ended = once(child, "close");
  let over = false;
  void ended.then(() => {
    over = true;
  });
  while (!over && arrived < before + after) await pause(2);
  await pause(laterMs);
  child.kill(signal);
  await ended;
}

test("nothing is delivered twice, and uncertain deliveries are reported", { timeout: 300_000 }, async () => {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const { id: hook } = await ask("/groups/acme/hooks", { url, push_events: false, note_events: true });
  for (let n = 0; n < count; n += 1) await ask("/projects/7/issues/1/notes", { body: `Remark ${n}` });
  await expect.poll(() => arrived).toBe(count);
  const deliveries = `hooks events ${hook} -g acme -L all --fields id --no-header`.split(" ");
  await expect.poll(async () => (await owner.run(...deliveries)).stdout.trim().split("\n").length).toBe(count);
  refusing = false;

  const line = `hooks redeliver ${hook} -g acme --journal killed.journal --yes -o json`.split(" ");
  for (let round = 0; round < kills; round += 1) {
    const after = Math.floor(chance() * 5);
    await cutOff(line, "SIGKILL", after, chance() * (after === 0 ? 400 : 60));
    for (const [key, times] of taken) expect([key, times], `round ${round}`).toEqual([key, 1]);
  }
  const plan = async () => {
    const { stdout } = await owner.run(...line, "-n");
    const rows = JSON.parse(stdout) as { verdict: string }[];
    return (verdict: string) => rows.filter((row) => row.verdict === verdict).length;
  };
  // Five per run: the sixth would wait for a minute.
  while ((await plan())("RESEND") > 0) {
    const left = Math.min(5, (await plan())("RESEND"));
    await cutOff(line, "SIGINT", left, 200);
  }
  const unknown = (await plan())("UNKNOWN");
  const last = await owner.run(...line);
  expect(last.code).toBe(unknown === 0 ? 0 : unknown === 1 ? 8 : 9);
  expect(Math.max(...taken.values())).toBe(1);
  // An unknown delivery has not arrived: its record would have shown it.
  expect(taken.size + unknown).toBe(count);
  expect(taken.size).toBeGreaterThan(count / 2);
});
