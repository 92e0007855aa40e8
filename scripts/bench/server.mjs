// The scenarios' servers, each in a separate process, so that their CPU time is not measured.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { environment } from "./measure.mjs";

/** Starts one of the small servers in this folder, which print their port. It ends when its stdin is closed. */
export async function startServer(name, ...args) {
  const endWithParent = new URL("end-with-parent.mjs", import.meta.url).href;
  const server = fileURLToPath(new URL(name, import.meta.url));
  const child = spawn(process.execPath, ["--import", endWithParent, server, ...args], {
    env: environment(),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  return { url: `http://127.0.0.1:${String(line).trim()}`, stop: () => child.kill() };
}
