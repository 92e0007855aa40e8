import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";

// `--concurrency` is the number of reads in flight: no section that waits for another one's read leaves a place empty,
// and neither the sections of a project nor the details of a list exceed it.

let underWay = 0;
let most = 0;
let expected = 0;
let admin: Awaited<ReturnType<typeof alteringSession>>;
beforeEach(async () => {
  admin = await alteringSession(async ({ method }) => {
    if (method !== "GET") return undefined;
    most = Math.max(most, ++underWay);
    await sleep(30);
    // On a busy machine, those that may be in flight together take longer to arrive.
    for (let waits = 0; most < expected && waits < 20; waits++) await sleep(20);
    underWay -= 1;
    return undefined;
  });
  writeFileSync(join(admin.home, "state.yaml"), state);
});

const project = `
    job_token_scope: { inbound_enabled: true, allowlist: [acme/website], groups_allowlist: [] }
    protected_environments: []
    error_tracking: { active: true }`;
const state = `forgectl: 1
projects:
  acme/storefront:${project}
  acme/docs:${project}
groups:
  acme: { hooks: [] }
`;

const mostIn = async (...words: string[]) => {
  most = 0;
  const { code, stderr } = await admin.run(...words);
  expect([code, stderr]).toEqual([expect.any(Number), expect.not.stringContaining("error:")]);
  return most;
};

test.each([1, 2, 5])("a plan, an export, and a saved plan have up to %i reads in flight", async (limit) => {
  expected = limit;
  const limited = ["--concurrency", String(limit)];
  expect(await mostIn("state", "plan", "-f", "state.yaml", "--prune", "--save", `${limit}.json`, ...limited)).toBe(
    limit,
  );
  expect(await mostIn("state", "export", "-p", "acme/docs", "-O", `${limit}.yaml`, ...limited)).toBe(limit);
  expect(await mostIn("state", "apply", "--plan", `${limit}.json`, "-n", ...limited)).toBe(limit);
});
