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

/** The text of `help`, `help <topic>`, and `help <command>`, the last being the same as `<command> --help`. */
export async function helpOn(words: readonly string[]): Promise<string> {
  const names = words.filter((word) => !word.startsWith("-"));
  const [first] = names;
  if (first === undefined) return rootHelp(groups);
  const topic = topics[first];
  if (topic !== undefined) return topic;
  let node = await loadGroup(first);
  for (const name of names.slice(1)) {
    const next: Command | Group | undefined =
      node.kind === "group" ? node.children.find((child) => child.name === name) : undefined;
    if (next === undefined) throw rootError(`there is no command '${names.join(" ")}'`, "unknown_command");
    node = next;
  }
  return nodeHelp(node, names);
}
