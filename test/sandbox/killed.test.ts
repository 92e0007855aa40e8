import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSession } from "./session.ts";

const folder = mkdtempSync(join(tmpdir(), "sandbox-killed-"));
const program = join(folder, "sandbox.mjs");
const dataFile = join(folder, "data.json");
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

beforeAll(async () => {
  const server = JSON.stringify(resolve("src/sandbox/index.ts"));
  const entry = join(folder, "entry.ts");
  writeFileSync(
    entry,
    `import { startSandbox } from ${server};
     startSandbox({ dataFile: ${JSON.stringify(dataFile)} }).then((sandbox) => process.stdout.write(sandbox.url));`,
  );
  const bundle = await rolldown({ input: entry, platform: "node", resolve: { modules: [resolve("node_modules")] } });
  await bundle.write({ file: program });
});

function start(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
  running.add(child);
  return new Promise((found, failed) => {
    child.stdout?.once("data", (url: Buffer) => found({ child, url: String(url) }));
    child.once("exit", (code) => failed(new Error(`the sandbox ended with ${code}`)));
  });
}

const headers = { "private-token": "sandbox-administrator-token", "content-type": "application/json" };

const isSaved = (size: number) => new RegExp(`"max_attachment_size":${size}\\b`).test(readFileSync(dataFile, "utf8"));

test("a sandbox killed at any moment leaves a complete data file with the saved state", async () => {
  let last = 0;
  for (let round = 0; round < 3; round += 1) {
    const { child, url } = await start();
    const kept = await (await fetch(`${url}/api/v4/application/settings`, { headers })).json();
    // Nothing that an earlier save contained may be lost.
    if (round > 0) expect((kept as { max_attachment_size: number }).max_attachment_size).toBeGreaterThanOrEqual(last);
    last = 1000 * (round + 1);
    const put = (size: number) => {
      const body = JSON.stringify({ max_attachment_size: size });
      return fetch(`${url}/api/v4/application/settings`, { method: "PUT", headers, body });
    };
    expect((await put(last)).status).toBe(200);
    await expect.poll(() => isSaved(last), { timeout: 20_000 }).toBe(true);
    for (let i = 1; i <= 40; i += 1) {
      await put(last + i);
      if (i > 30) await sleep(17 * round);
    }
    child.removeAllListeners("exit");
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await ended;
    running.delete(child);
  }
  const { ask, sandbox } = await openSession({ dataFile });
  expect((await ask("GET /application/settings")).json.max_attachment_size).toBeGreaterThanOrEqual(last);
  await sandbox.close();
}, 60_000);
