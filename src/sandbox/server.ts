import type { Sandbox, SandboxOptions } from "./options.ts";

export { FaultSpecError, parseFault } from "./faults.ts";
export type { Sandbox, SandboxOptions } from "./options.ts";
export { SandboxDataError } from "./store.ts";

/**
 * Starts an embedded platform.
 *
 * Rejects with {@link SandboxDataError} when the data file cannot be used, {@link FaultSpecError} when `faults` is a
 * text that does not parse, and Node's own error (`EADDRINUSE`, ...) when the port cannot be had.
 */
export async function startSandbox(_options: SandboxOptions = {}): Promise<Sandbox> {
  throw new Error("not yet");
}
