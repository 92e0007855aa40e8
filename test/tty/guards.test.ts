import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { atEnd } from "../support/ending.ts";
import { startSandbox } from "../support/sandbox.ts";
import { describeTerminal, openTerminal } from "../support/terminal.ts";

describeTerminal("a protected instance at a terminal", () => {
  test("asks for the profile's name, and sends nothing for another", async () => {
    const log: string[] = [];
    const sandbox = await startSandbox({ log: (line) => log.push(line) });
    atEnd(() => sandbox.close());
    const env = { FORGECTL_BASE_URL: sandbox.url, FORGECTL_TOKEN: sandbox.tokens.administrator };
    const terminal = await openTerminal({ env });
    const folder = join(terminal.home, ".config", "forgectl");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const profiles = { prod: { "base-url": sandbox.url, protect: true } };
    writeFileSync(join(folder, "profiles.json"), JSON.stringify({ version: 1, profiles }), { mode: 0o600 });

    terminal.start("forgectl errors disable -p 7 --yes");
    await terminal.shows(/prod \(http.*\) is protected/);
    terminal.type("yes");
    terminal.press("Enter");
    expect((await terminal.end()).code).toBe(2);
    expect(log).toEqual([]);

    terminal.start("forgectl errors disable -p 7");
    await terminal.shows(/is protected/);
    terminal.type("prod");
    terminal.press("Enter");
    expect((await terminal.end()).code).toBe(0);
    expect(log.some((line) => line.startsWith("PATCH "))).toBe(true);
  });
});
