import type { UsageError } from "../base/errors.ts";
import { nearest } from "../base/nearest.ts";
import { groups } from "../commands/index.ts";
import type { Command, Group } from "../declare/command.ts";
import { describeFlags } from "../declare/describe.ts";
import { globalFlags } from "../declare/globals.ts";
import { globalsHelp, nodeHelp, rootHelp } from "./help.ts";
import { loadGroup, rootError } from "./load.ts";
import { topics } from "./topics.ts";
import { flagName } from "./words.ts";

/** The text for a line without a command: the root help, unless a flag was meant for one. */
export function helpWithoutCommand(argv: readonly string[], width: number): string {
  const meant = argv.find((word) => word !== "-h" && word !== "--help");
  if (meant === undefined) return rootHelp(groups, width);
  const flag = flagName(meant);
  const known = describeFlags(globalFlags).flatMap(({ long, short = long }) => [long, short]);
  // A short flag may have its value in the same word.
  if (known.includes(flag) || known.includes(/^-\w/.exec(flag)?.[0] ?? ""))
    throw rootError(`a command is missing after ${meant}`, "missing_command");
  const guess = nearest(flag, [...known, "-h", "--help", "-V", "--version"]);
  throw rootError(`unknown option '${flag}'`, "unknown_option", guess && `did you mean ${guess}?`);
}

/** The text of `help`, `help <topic>`, and `help <command>`, the last being the same as `<command> --help`. */
export async function helpOn(words: readonly string[], width: number): Promise<string> {
  const names = words.filter((word) => !word.startsWith("-"));
  const [first] = names;
  if (first === undefined || first === "help") return rootHelp(groups, width);
  if (first === "globals") return globalsHelp(width);
  const topic = Object.hasOwn(topics, first) ? topics[first] : undefined;
  if (topic !== undefined) return topic;
  const node = await findNode(names);
  if (node === undefined) throw await unknownBelow(names);
  return nodeHelp(node, names, width);
}

/** Names the first word that is wrong, and what may have been meant. */
async function unknownBelow(names: readonly string[]): Promise<UsageError> {
  let node: Command | Group = await loadGroup(names[0] ?? "", names);
  let depth = 1;
  for (; node.kind === "group"; depth++) {
    const next: Command | Group | undefined = node.children.find(({ name }) => name === names[depth]);
    if (next === undefined) break;
    node = next;
  }
  const { unknownVerb } = await import("./suggest.ts");
  return unknownVerb(node, names[depth] ?? "", names.slice(0, depth));
}

async function findNode(names: readonly string[]): Promise<Command | Group | undefined> {
  let node: Command | Group | undefined = await loadGroup(names[0] ?? "", names);
  for (const name of names.slice(1)) {
    node = node?.kind === "group" ? node.children.find((child) => child.name === name) : undefined;
  }
  return node;
}
