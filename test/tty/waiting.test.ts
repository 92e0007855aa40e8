import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { atTestEnd } from "../support/ending.ts";
import { sandboxSession } from "../support/session.ts";
import { describeTerminal, openTerminal, type Terminal } from "../support/terminal.ts";

const slow = await sandboxSession({
  latencyMs: 1200,
  faults: "GET /user=429:retry-after=3*always; GET /application/settings=429:retry-after=3",
});
const instance = { FORGECTL_BASE_URL: slow.env.FORGECTL_BASE_URL, FORGECTL_TOKEN: slow.env.FORGECTL_TOKEN };

const brief = "--fields id,username";
const two = [" id  username", "300  astrid.dlamini", "299  chidi.jansen"];
const cut = "shown 2 of 300; --limit all for the rest";

describeTerminal("a slow instance", () => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await openTerminal({ env: instance });
  });

  test("a wait shows progress, and clears it", async () => {
    terminal.start(`forgectl users list -L 2 ${brief}`);
    expect(await terminal.shows(/waiting/)).toEqual([expect.stringMatching(/^[⠁-⠿] waiting for the instance$/)]);
    expect(await terminal.end()).toEqual({ lines: [...two, cut], code: 0 });
  });

  test("a long list shows its progress", async () => {
    terminal.start(`forgectl users list -L 20 --per-page 5 --concurrency 1 ${brief} -o json | tail -n 3`);
    expect(await terminal.shows(/10 of 20/)).toEqual([
      expect.stringMatching(/^[⠁-⠿] waiting for the instance ██████████░░░░░░░░░░ 50% 10 of 20$/),
    ]);
    const { lines } = await terminal.end();
    expect(lines.filter((line) => line.includes("waiting"))).toEqual([]);
    expect(lines).toContain("shown 20 of 300; --limit all for the rest");
  });

  const list = `forgectl users list -L 2 ${brief}`;
  test.each([
    `${list} --quiet`,
    `${list} --debug`,
    // Printed every 30 s, as separate lines.
    `ACCESSIBLE=1 ${list}`,
    `TERM=dumb ${list}`,
  ])("%s: nothing is drawn", async (line) => {
    terminal.start(line);
    const seen: string[] = [];
    // Nothing may be drawn at any time before the answer.
    for (let time = 0; time < 10; time++) {
      await sleep(100);
      seen.push(...(await terminal.screen()));
    }
    seen.push(...(await terminal.end()).lines);
    expect(seen).toContain(two[1]);
    expect(seen.join("\n")).not.toContain("waiting");
  });

  test("a wait above a second is announced, with the next attempt", async () => {
    const started = Date.now();
    terminal.start("forgectl settings get signup_enabled");
    await terminal.shows(/^rate limited by the instance \(429\); next attempt in 3 s \(2 of 5\)$/m);
    const { lines, code } = await terminal.end();
    expect(Date.now() - started).toBeGreaterThan(3000);
    expect({ lines, code }).toEqual({
      lines: ["rate limited by the instance (429); next attempt in 3 s (2 of 5)", "false"],
      code: 0,
    });
  });
});

describeTerminal("rows that arrive while the line is drawn", () => {
  test("are above it, each complete, and nothing of it remains between them", async () => {
    const terminal = await openTerminal({ env: instance });
    terminal.start(`forgectl users list -L 12 --per-page 4 --concurrency 1 --fields username -o ndjson`);
    const row = expect.stringMatching(/^\{"username":"[\w.]+"\}$/);
    const line = expect.stringMatching(/^[⠁-⠿] waiting for the instance █+░+ \d+% 8 of 12$/);
    expect(await terminal.shows(/8 of 12/)).toEqual([...Array(8).fill(row), line]);
    expect((await terminal.end()).lines).toEqual([...Array(12).fill(row), "shown 12 of 300; --limit all for the rest"]);
  });
});

describeTerminal("Ctrl-C", () => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await openTerminal({ env: instance });
  });

  test("in a list: received rows are kept, exit 130", async () => {
    terminal.start(`forgectl users list -L all --per-page 2 --concurrency 1 ${brief} --no-header`);
    await terminal.shows(/waiting.* 4 of 300/);
    terminal.press("C-c");
    const { lines, code } = await terminal.end();
    expect({ lines: lines.slice(0, 4), code }).toEqual({
      lines: [...two.slice(1), "298  diego.garcia", "297  kavya.hansen"],
      code: 130,
    });
    expect(lines.at(-1)).toMatch(/^error: interrupted \(GET \/\S+\)$/);
    expect(lines.length).toBeLessThanOrEqual(7);
  });

  test("in a wait for the next attempt", async () => {
    terminal.start("forgectl users me");
    await terminal.shows(/next attempt in 3 s/);
    const pressed = Date.now();
    terminal.press("C-c");
    const { lines, code } = await terminal.end();
    expect(Date.now() - pressed).toBeLessThan(1500);
    expect(code).toBe(130);
    expect(lines[0]).toBe("rate limited by the instance (429); next attempt in 3 s (2 of 5)");
    expect(lines.at(-1)).toMatch(/^error: interrupted \(GET \S+\)$/);
  });

  test("in a request without an answer; the message has its own line", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    atTestEnd(() => server.close().closeAllConnections());
    await once(server, "listening");
    const asked = once(server, "request");
    const { port } = server.address() as AddressInfo;
    terminal.start(`FORGECTL_BASE_URL=http://127.0.0.1:${port} forgectl events list --quiet`);
    await asked;
    terminal.press("C-c");
    const { lines, code } = await terminal.end();
    expect({ lines, code }).toEqual({
      lines: ["^C", expect.stringMatching(/^error: interrupted \(GET \S+\/events\S*\)$/)],
      code: 130,
    });
  });
});
