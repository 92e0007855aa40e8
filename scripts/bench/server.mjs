// The servers that the scenarios talk to, each in a process of its own so that it shares no CPU time with the measured.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { environment } from "./measure.mjs";

/** One of the small servers beside this file, which print their port. */
export async function startServer(name, ...args) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(name, import.meta.url)), ...args], {
    env: environment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  return { url: `http://127.0.0.1:${String(line).trim()}`, stop: () => child.kill() };
}
