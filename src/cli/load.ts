import { UsageError } from "../base/errors.ts";
import { nearest } from "../base/nearest.ts";
import { groups } from "../commands/index.ts";
import type { Command, Group } from "../declare/command.ts";
import { describeFlags } from "../declare/describe.ts";
import { globalFlags } from "../declare/globals.ts";
import { flagName } from "./words.ts";

/**
 * Loads only the group that a word names.
 *
 * @param argv the whole line, for suggestions
 */
export async function loadGroup(word: string, argv: readonly string[] = [word]): Promise<Command | Group> {
  const entry = groups.find(({ name }) => name === word);
  if (entry !== undefined) return entry.load();
  const at = argv.indexOf(word);
  const [ahead] = argv.slice(0, at).filter((each) => each.startsWith("-"));
  if (ahead !== undefined && !isGlobal(ahead)) {
    throw rootError(`unknown command '${word}'`, "unknown_command", `put ${flagName(ahead)} after the command`);
  }
  const guess = await meant(word, argv.slice(at + 1));
  throw rootError(`unknown command '${word}'`, "unknown_command", guess && `did you mean ${guess}?`);
}

async function meant(word: string, following: readonly string[]): Promise<string | undefined> {
  const { meantCommand } = await import("./suggest.ts");
  const nodes = await Promise.all(groups.map((entry) => entry.load()));
  return meantCommand(nodes, word, following) ?? nearest(word, [...groups.map(({ name }) => name), "help"]);
}

function isGlobal(word: string): boolean {
  return describeFlags(globalFlags).some(({ long, short = long }) =>
    [long, short].some((each) => word === each || word.startsWith(each.startsWith("--") ? `${each}=` : each)),
  );
}

/** A usage error before any command is named. */
export function rootError(message: string, code: string, hint?: string): UsageError {
  const error = new UsageError(message, { code, ...(hint !== undefined && { hint }) });
  error.command = "";
  return error;
}
