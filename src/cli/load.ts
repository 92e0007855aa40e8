import { UsageError } from "../base/errors.ts";
import { hideInText } from "../base/named-secrets.ts";
import { nearest } from "../base/nearest.ts";
import { isSecretName } from "../base/secret-names.ts";
import { groups } from "../commands/index.ts";
import type { Command, Group } from "../declare/command.ts";
import { describeFlags } from "../declare/describe.ts";
import { globalFlags } from "../declare/globals.ts";
import { flagName, switches, tokenHint } from "./words.ts";

/**
 * Loads only the group that a word names.
 *
 * @param argv the whole line, for suggestions
 */
export async function loadGroup(word: string, argv: readonly string[] = [word]): Promise<Command | Group> {
  const entry = groups.find(({ name }) => name === word);
  if (entry !== undefined) return entry.load();
  const unknown = `unknown command '${hideInText(flagName(word))}'`;
  const at = argv.indexOf(word);
  const ahead = argv.slice(0, at).filter((each) => /^-./.test(each) && each !== "--" && !isGlobal(each));
  const last = ahead.at(-1);
  if (last !== undefined) {
    const name = flagName(last);
    if (isSecretName(name.replace(/^-+/, ""))) throw rootError(`unknown flag '${name}'`, "unknown_option", tokenHint);
    // The word may be its value, such as a header with a token.
    const said = argv[at - 1] === name ? `${name} stands before the command` : unknown;
    throw rootError(said, "unknown_command", `put ${name} after the command`);
  }
  const guess = await meant(word, argv.slice(at + 1));
  throw rootError(unknown, "unknown_command", guess && `did you mean ${guess}?`);
}

async function meant(word: string, following: readonly string[]): Promise<string | undefined> {
  const { meantCommand } = await import("./suggest.ts");
  const nodes = await Promise.all(groups.map((entry) => entry.load()));
  return meantCommand(nodes, word, following) ?? nearest(word, [...groups.map(({ name }) => name), "help"]);
}

/** Short flags without a value may be combined, and the last one may have its value in the same word. */
export function isGlobal(word: string): boolean {
  const known = describeFlags(globalFlags);
  if (word.startsWith("--")) return known.some(({ long }) => long === flagName(word));
  const valued = known.flatMap(({ short, placeholder }) => (placeholder === undefined ? [] : (short?.slice(1) ?? [])));
  return new RegExp(`^-[${switches()}]*(?:[${valued.join("")}].*)?$`, "s").test(word);
}

/** A usage error before any command is named. */
export function rootError(message: string, code: string, hint?: string): UsageError {
  const error = new UsageError(message, { code, ...(hint !== undefined && { hint }) });
  error.command = "";
  return error;
}
