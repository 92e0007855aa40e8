import { changes } from "../api/endpoint.ts";
import type { Command } from "./command.ts";

/** Whether a command changes something on the instance with this input. */
export function isChanging(command: Command, input: Readonly<Record<string, unknown>>): boolean {
  return command.changes?.(input) ?? command.requests.some(changes);
}
