import type { CommanderError } from "commander";
import { UsageError } from "../base/errors.ts";
import type { Command, Group } from "../declare/command.ts";
import { childNamed } from "../declare/describe.ts";
import { flagsOf, meantFlag, unknownVerb } from "./suggest.ts";
import { flagName } from "./words.ts";

/** A commander error as a UsageError in this program's wording. */
export function usageError(error: CommanderError, node: Command | Group, argv: readonly string[]): UsageError {
  const [first = ""] = error.message.replace(/^error: /, "").split("\n");
  const { node: named, path } = deepest(node, argv);
  const word = /^unknown command '(.*)'$/s.exec(first)?.[1];
  if (word !== undefined) return unknownVerb(named, word, path);
  const plain = /^unknown option '(--[\w-]+)=.*'$/s.exec(first)?.[1];
  const isPlain =
    plain !== undefined && flagsOf(named).some((flag) => flag.long === plain && flag.placeholder === undefined);
  const hint = isPlain ? `give ${plain} alone` : hintOn(first, { named, path, argv });
  const usage = new UsageError(
    isPlain ? `${plain}: takes no value` : inOurWords(first),
    hint === undefined ? {} : { hint },
  );
  usage.command = path.join(" ");
  return usage;
}

interface Typed {
  named: Command | Group;
  path: readonly string[];
  argv: readonly string[];
}

function hintOn(complaint: string, { named, path, argv }: Typed): string | undefined {
  if (complaint.startsWith("too many arguments")) return strayHint(path, argv);
  const flag = /^unknown option '(.*)'$/s.exec(complaint)?.[1];
  if (flag === undefined) return undefined;
  const name = flagName(flag);
  const at = argv.indexOf(flag);
  const belongs = flagsOf(named).some(({ long, short }) => [long, short].includes(name));
  if (belongs && at < argv.indexOf(path[0] ?? ""))
    return `put it after the command: forgectl ${path.join(" ")} ${name} …`;
  if (/^--(?:access-|private-)?token$/.test(name)) {
    return "a token is never an argument: set FORGECTL_TOKEN, or forgectl auth login";
  }
  const meant = meantFlag(named, flag, argv[at + 1]);
  return meant && `did you mean ${meant}?`;
}

function strayHint(path: readonly string[], argv: readonly string[]): string {
  if (argv.at(-1) === "help") return "did you mean --help?";
  const method =
    path[0] === "api" ? argv.find((word) => /^(?:GET|HEAD|POST|PUT|PATCH|DELETE)$/i.test(word)) : undefined;
  return method === undefined ? "quote values with spaces" : `give the method with -X ${method.toUpperCase()}`;
}

/** Names arguments and flags as in help: `<note-id>`, `--limit`. */
function inOurWords(complaint: string): string {
  return complaint
    .replace(/^unknown option '(.*)'$/s, (_, flag: string) => `unknown option '${flagName(flag)}'`)
    .replace(/^missing required argument '(.*)'$/, "missing required argument <$1>")
    .replace(/^option '(?:-\w, )?(--[\w-]+).*' argument missing$/, "$1: its value is missing")
    .replace(
      /^too many arguments for '.*'\. Expected (\d+) arguments? but got (\d+)\.$/,
      "too many arguments: $2 instead of $1",
    );
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
