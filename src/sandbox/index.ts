import { areas } from "./areas/index.ts";
import { startInstance } from "./server/instance.ts";
import type { Sandbox, SandboxOptions } from "./server/options.ts";

export { FaultSpecError, parseFault } from "./server/faults.ts";
export type { Sandbox, SandboxOptions } from "./server/options.ts";
export { SandboxDataError } from "./store/datafile.ts";

/**
 * Starts an embedded platform.
 *
 * Rejects with {@link SandboxDataError} if the data file cannot be used, {@link FaultSpecError} if `faults` is text
 * that does not parse, and Node's own error (`EADDRINUSE`, ...) if the port is not available.
 */
export function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return startInstance(options, areas);
}
