import type { CommanderError } from "commander";
import { UsageError } from "../base/errors.ts";
import type { Command, Group } from "../declare/command.ts";
import { childNamed } from "../declare/describe.ts";
import { flagsOf, meantFlag, unknownVerb } from "./suggest.ts";
import { flagName, tokenHint } from "./words.ts";

/** A commander error as a UsageError in this program's wording. Its `code` tells which one it is. */
export function usageError(error: CommanderError, node: Command | Group, argv: readonly string[]): UsageError {
  const { node: named, path } = namedNode(node, argv);
  const [message, hint] = inOurWords(error, { named, path, argv });
  if (message === undefined) return unknownVerb(named, quotedIn(error), path);
  const usage = new UsageError(message, hint === undefined ? {} : { hint });
  usage.command = path.join(" ");
  return usage;
}

interface Typed {
  named: Command | Group;
  path: readonly string[];
  argv: readonly string[];
}

/** The message and its hint, with names of flags as in help; no message for an unknown command. */
function inOurWords(error: CommanderError, typed: Typed): [message?: string, hint?: string | undefined] {
  switch (error.code) {
    case "commander.unknownCommand":
      return [];
    case "commander.unknownOption":
      return unknownFlag(quotedIn(error), typed);
    case "commander.optionMissingArgument":
      return [withoutValue(/--[\w-]+/.exec(quotedIn(error))?.[0] ?? "", typed)];
    default:
      return [error.message.replace(/^error: /, "")];
  }
}

/** The part of the line that commander quotes. */
function quotedIn({ message }: CommanderError): string {
  return /'(.*)'/s.exec(message)?.[1] ?? "";
}

function unknownFlag(flag: string, { named, path, argv }: Typed): [message: string, hint: string | undefined] {
  const plain = /^(--[\w-]+)=/.exec(flag)?.[1];
  if (
    plain !== undefined &&
    flagsOf(named).some(({ long, placeholder }) => long === plain && placeholder === undefined)
  )
    return [`${plain}: takes no value`, `give ${plain} alone`];
  const name = flagName(flag);
  return [`unknown flag '${name}'`, flagHint(flag, name, { named, path, argv })];
}

function flagHint(flag: string, name: string, { named, path, argv }: Typed): string | undefined {
  const belongs = flagsOf(named).some(({ long, short }) => [long, short].includes(name));
  if (belongs && argv.indexOf(flag) < argv.indexOf(path[0] ?? ""))
    return `put it after the command: forgectl ${path.join(" ")} ${name} ...`;
  if (/^--(?:access-|private-)?token$/.test(name)) {
    return tokenHint;
  }
  const meant = meantFlag(named, flag, argv[argv.indexOf(flag) + 1]);
  return meant && `did you mean ${meant}?`;
}

function withoutValue(flag: string, { named }: Typed): string {
  const { placeholder = "<value>" } = flagsOf(named).find(({ long }) => long === flag) ?? {};
  return `${flag}: missing ${placeholder}`;
}

/** The deepest command that the words name: for `see: forgectl … --help`, and for `--help` before the command. */
export function namedNode(group: Command | Group, argv: readonly string[]): { node: Command | Group; path: string[] } {
  const path = [group.name];
  let node = group;
  for (const word of argv.slice(argv.indexOf(group.name) + 1)) {
    const next = childNamed(node, word);
    if (next === undefined) continue;
    path.push(next.name);
    node = next;
  }
  return { node, path };
}
