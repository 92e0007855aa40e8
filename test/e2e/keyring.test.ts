import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { session } from "../support/session.ts";

const baseUrl = "https://forge.example.com";

/** A session bus that takes connections and answers nothing, as that of a keyring that waits to be unlocked. */
async function silentBus(path: string): Promise<{ asked: Promise<unknown> }> {
  const sockets: Socket[] = [];
  const server = createServer();
  const asked = new Promise((resolve) => {
    server.on("connection", (socket) => {
      sockets.push(socket.on("error", () => undefined));
      socket.once("data", resolve);
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { asked };
}

test.runIf(process.platform === "linux").each(["SIGINT", "SIGTERM"] as const)(
  "%s ends a command that waits for the keyring",
  async (signal) => {
    const { home, run } = session();
    const folder = join(home, ".config", "forgectl");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const profile = { "base-url": baseUrl, token: { storage: "keyring", "base-url": baseUrl } };
    const stored = { version: 1, current: "work", profiles: { work: profile } };
    writeFileSync(join(folder, "profiles.json"), JSON.stringify(stored), { mode: 0o600 });
    const path = join(home, "bus");
    const { asked } = await silentBus(path);
    const started = Date.now();
    const { code, stdout } = await run("users", "me", {
      env: { DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` },
      kill: { signal, when: asked },
    });
    // A signal has ended it: there is no code.
    expect([code, stdout]).toEqual([null, ""]);
    expect(Date.now() - started).toBeLessThan(10_000);
  },
);
