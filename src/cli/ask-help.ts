import { nearest } from "../base/nearest.ts";
import { groups } from "../commands/index.ts";
import { describeFlags, leadFrom } from "../declare/describe.ts";
import { globalFlags } from "../declare/globals.ts";
import { nodeHelp, rootHelp } from "./help.ts";
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
  const topic = Object.hasOwn(topics, first) ? topics[first] : undefined;
  if (topic !== undefined) return topic;
  const { node, count } = leadFrom(await loadGroup(first, names), names.slice(1));
  const wrong = names[count + 1];
  if (wrong === undefined) return nodeHelp(node, names, width);
  const { unknownVerb } = await import("./suggest.ts");
  throw unknownVerb(node, wrong, names.slice(0, count + 1));
}
