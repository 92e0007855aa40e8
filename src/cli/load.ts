import type { Command, Group } from "../command/command.ts";
import { groups } from "../commands/index.ts";
import { UsageError } from "../errors.ts";
import { nearest } from "../nearest.ts";

/** Loads the group that a word names, and no other. */
export async function loadGroup(word: string): Promise<Command | Group> {
  const entry = groups.find(({ name }) => name === word);
  if (entry !== undefined) return entry.load();
  const guess = nearest(word, [...groups.map(({ name }) => name), "help"]);
  throw rootError(`unknown command '${word}'`, "unknown_command", guess && `did you mean ${guess}?`);
}

/** A mistake made before any command was named. */
export function rootError(message: string, code: string, hint?: string): UsageError {
  const error = new UsageError(message, { code, ...(hint !== undefined && { hint }) });
  error.command = "";
  return error;
}

/** Below a group, a word that names none of its commands. */
export function unknownVerb(node: Command | Group, word: string, path: readonly string[]): UsageError {
  const known = node.kind === "group" ? node.children.map(({ name }) => name) : [];
  const guess = nearest(word, known);
  const hint = guess && `did you mean ${guess}?`;
  const error = new UsageError(`unknown command '${word}'`, { code: "unknown_command", ...(hint && { hint }) });
  error.command = path.join(" ");
  return error;
}
