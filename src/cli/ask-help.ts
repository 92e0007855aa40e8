import type { Command, Group } from "../command/command.ts";
import { groups } from "../commands/index.ts";
import { nodeHelp, rootHelp } from "./help.ts";
import { loadGroup, rootError } from "./load.ts";
import { topics } from "./topics.ts";

/** The text for a line without a command: the root help, unless a flag was meant for one. */
export function helpWithoutCommand(argv: readonly string[]): string {
  const meant = argv.find((word) => word !== "-h" && word !== "--help");
  if (meant !== undefined) throw rootError(`a command is missing after ${meant}`, "missing_command");
  return rootHelp(groups);
}

/**
 * The text of `<command> --help`, where nothing else was typed: no parser is loaded for it. Undefined for any other
 * line, which the parser has to understand first.
 */
export async function plainHelp(argv: readonly string[]): Promise<string | undefined> {
  const names = argv.slice(0, -1);
  const last = argv.at(-1);
  if ((last !== "--help" && last !== "-h") || names.some((name) => name.startsWith("-"))) return undefined;
  const node = await findNode(names);
  return node === undefined ? undefined : nodeHelp(node, names);
}

/** The text of `help`, `help <topic>`, and `help <command>`, the last being the same as `<command> --help`. */
export async function helpOn(words: readonly string[]): Promise<string> {
  const names = words.filter((word) => !word.startsWith("-"));
  const [first] = names;
  if (first === undefined) return rootHelp(groups);
  const topic = topics[first];
  if (topic !== undefined) return topic;
  const node = await findNode(names);
  if (node === undefined) throw rootError(`there is no command '${names.join(" ")}'`, "unknown_command");
  return nodeHelp(node, names);
}

async function findNode(names: readonly string[]): Promise<Command | Group | undefined> {
  let node: Command | Group | undefined = await loadGroup(names[0] ?? "");
  for (const name of names.slice(1)) {
    node = node?.kind === "group" ? node.children.find((child) => child.name === name) : undefined;
  }
  return node;
}
