import { areas } from "../../src/sandbox/areas/index.ts";
import { type Sandbox, type SandboxOptions, startSandbox as startFresh } from "../../src/sandbox/index.ts";
import { startInstance } from "../../src/sandbox/server/instance.ts";
import { type Restore, snapshotOf } from "./snapshot.ts";

/** The demo data of earlier sandboxes, by every option that it may depend on. */
const snapshots = new Map<string, Restore>();

/**
 * Starts a sandbox like the program's own, but copies the demo data of an earlier one: to make it takes most of a
 * start. With a clock or a data file of its own, it makes its own.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  if (options.now !== undefined || options.dataFile !== undefined) return startFresh(options);
  const today = new Date().toISOString().slice(0, 10);
  const key = JSON.stringify([today, options.tier, options.hosting, options.asDeployed]);
  const restore = snapshots.get(key);
  if (restore !== undefined) return startInstance(options, areas, ({ store }) => restore(store));
  const sandbox = await startFresh(options);
  snapshots.set(key, await snapshotOf(sandbox));
  return sandbox;
}
