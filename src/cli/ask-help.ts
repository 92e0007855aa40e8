import type { HelpPage } from "../base/help-page.ts";
import { nearest } from "../base/nearest.ts";
import { ownValue } from "../base/own-value.ts";
import { topicPage } from "../base/topic-page.ts";
import { groups } from "../commands/index.ts";
import { describeFlags, leadFrom } from "../declare/describe.ts";
import { globalFlags } from "../declare/globals.ts";
import { globalsPage, nodePage, rootPage } from "./help.ts";
import { isGlobal, loadGroup, rootError } from "./load.ts";
import { topics } from "./topics.ts";
import { flagName } from "./words.ts";

/** The page for a line without a command: the root help. A flag that needs a command is a UsageError. */
export function helpWithoutCommand(argv: readonly string[]): HelpPage {
  const meant = argv.find((word) => word !== "-h" && word !== "--help");
  if (meant === undefined) return rootPage(groups);
  const flag = flagName(meant);
  const known = describeFlags(globalFlags).flatMap(({ long, short = long }) => [long, short]);
  // A short flag may include its value in the same word.
  if (known.includes(flag) || known.includes(/^-\w/.exec(flag)?.[0] ?? ""))
    throw rootError("missing <command>", "missing_command", `put it after ${meant}`);
  const guess = nearest(flag, [...known, "-h", "--help", "-V", "--version"]);
  throw rootError(`unknown flag '${flag}'`, "unknown_option", guess && `did you mean ${guess}?`);
}

/** The page of `help`, `help <topic>`, and `help <command>`, which equals `<command> --help`. */
export async function helpOn(words: readonly string[]): Promise<HelpPage> {
  const names = words.filter((word) => !word.startsWith("-"));
  const [first] = names;
  if (first === undefined || first === "help") return rootPage(groups);
  if (first === "globals") return globalsPage();
  const topic = ownValue(topics, first);
  if (topic !== undefined) return topicPage(topic);
  const { node, count } = leadFrom(await loadGroup(first, words), names.slice(1));
  const wrong = names[count + 1];
  if (wrong === undefined) return nodePage(node, names);
  // Behind a flag, the word may be its value, such as a token.
  const flag = words[words.indexOf(wrong) - 1] ?? "";
  if (/^-./.test(flag) && !isGlobal(flag)) throw rootError(`unknown flag '${flagName(flag)}'`, "unknown_option");
  const { unknownVerb } = await import("./suggest.ts");
  throw unknownVerb(node, wrong, names.slice(0, count + 1));
}
