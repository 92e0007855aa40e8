import { isChange } from "../api/outcome.ts";
import type { Command } from "./command.ts";

/** Whether a command may change something, with some input. */
export function mayChange({ requests, changes, passThrough }: Command): boolean {
  return passThrough || changes !== undefined || requests.some(({ method }) => isChange(method));
}
