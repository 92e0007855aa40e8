import type { CommanderError } from "commander";
import { UsageError } from "../base/errors.ts";
import { commandLine } from "../base/shell-words.ts";
import type { Command, Group } from "../declare/command.ts";
import { childNamed } from "../declare/describe.ts";
import { flagsOf, meantFlag, unknownVerb } from "./suggest.ts";
import { flagName } from "./words.ts";

/** A commander error as a UsageError in this program's wording. Its `code` tells which one it is. */
export function usageError(error: CommanderError, node: Command | Group, argv: readonly string[]): UsageError {
  const { node: named, path } = deepest(node, argv);
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
      return [`${/--[\w-]+/.exec(quotedIn(error))?.[0]}: its value is missing`];
    case "commander.excessArguments": {
      const [expected, given] = (error.message.match(/\d+/g) ?? []).slice(-2);
      return (
        scopeInstead(typed, Number(expected)) ?? [
          `too many arguments: ${given} instead of ${expected}`,
          strayHint(typed),
        ]
      );
    }
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
  return [`unknown option '${name}'`, flagHint(flag, name, { named, path, argv })];
}

function flagHint(flag: string, name: string, { named, path, argv }: Typed): string | undefined {
  const belongs = flagsOf(named).some(({ long, short }) => [long, short].includes(name));
  if (belongs && argv.indexOf(flag) < argv.indexOf(path[0] ?? ""))
    return `put it after the command: forgectl ${path.join(" ")} ${name} ...`;
  if (/^--(?:access-|private-)?token$/.test(name)) {
    return "a token is never an argument: set FORGECTL_TOKEN, or forgectl auth login";
  }
  const meant = meantFlag(named, flag, argv[argv.indexOf(flag) + 1]);
  return meant && `did you mean ${meant}?`;
}

/** A project or group that stands where only its flag is taken: `groups export acme`. */
function scopeInstead({ named, path, argv }: Typed, expected: number): [message: string, hint: string] | undefined {
  const stray = argv[argv.lastIndexOf(path.at(-1) ?? "") + 1];
  if (expected > 0 || stray === undefined || stray.startsWith("-") || stray === "help") return undefined;
  const scopes = path[0] === "groups" ? ["--group", "--project"] : ["--project", "--group"];
  const flag = scopes.map((scope) => flagsOf(named).find(({ long }) => long === scope)).find((each) => each);
  if (flag === undefined || named.kind === "group") return undefined;
  return [`unexpected argument: ${stray}`, `did you mean ${commandLine([flag.short ?? flag.long, stray])}?`];
}

function strayHint({ path, argv }: Typed): string {
  if (argv.at(-1) === "help") return "did you mean --help?";
  const method =
    path[0] === "api" ? argv.find((word) => /^(?:GET|HEAD|POST|PUT|PATCH|DELETE)$/i.test(word)) : undefined;
  return method === undefined ? "quote values with spaces" : `give the method with -X ${method.toUpperCase()}`;
}

/** The deepest command that the words name: for `see: forgectl … --help`, and for `--help` before the command. */
export function deepest(group: Command | Group, argv: readonly string[]): { node: Command | Group; path: string[] } {
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
