import { areas } from "../../src/sandbox/areas/index.ts";
import { type Sandbox, type SandboxOptions, startSandbox as startOwn } from "../../src/sandbox/index.ts";
import { startInstance } from "../../src/sandbox/server/instance.ts";
import { beginningOf, type PutBack } from "./beginning.ts";

/** Demo data of earlier sandboxes, by what it depends on. */
const made = new Map<string, PutBack>();

/**
 * Starts a sandbox like the program's own, but copies the demo data of an earlier one: to make it takes most of a start.
 * With a clock or a data file of its own, it makes its own.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  if (options.now !== undefined || options.dataFile !== undefined) return startOwn(options);
  const today = new Date().toISOString().slice(0, 10);
  const key = JSON.stringify([today, options.tier, options.asDeployed]);
  const putBack = made.get(key);
  if (putBack !== undefined) return startInstance(options, seededBy(putBack));
  const sandbox = await startOwn(options);
  made.set(key, await beginningOf(sandbox));
  return sandbox;
}

function seededBy(putBack: PutBack): typeof areas {
  return areas.map(({ seed: _, ...area }, at) => (at === 0 ? { ...area, seed: ({ store }) => putBack(store) } : area));
}
