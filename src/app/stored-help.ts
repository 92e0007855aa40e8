import { type HelpPage, helpWidth } from "../base/help-page.ts";
import type { TerminalText } from "../host.ts";
import { helpText } from "../terminal/help-text.ts";
import { startStyle } from "../terminal/style.ts";
import type { Parts } from "./parts.ts";

/**
 * The help of one command, from the pages that the build stored, if that is all the line asks for: no
 * command is loaded. Undefined for any other line, and for names that have no page.
 */
export function storedHelp(host: NodeJS.Process, argv: readonly string[], parts: Parts): TerminalText | undefined {
  const names = namesIn(argv);
  if (names === undefined || !names.every((name) => /^[a-z_][a-z\d_-]*$/.test(name))) return undefined;
  const [first = "", ...below] = names;
  const kept = parts.read(first === "" ? "help/help.json" : `help/help-${first}.json`);
  if (kept === undefined) return undefined;
  const pages = new Map<string, HelpPage>(JSON.parse(kept.toString()));
  const page = pages.get(below.join(" "));
  if (page === undefined) return undefined;
  const isTerminal = host.stdout.isTTY === true;
  const style = startStyle(undefined, host.env, { isTerminal });
  return helpText(page, helpWidth(isTerminal && host.stdout.columns > 0 ? host.stdout.columns : undefined), style);
}

/** The command that `help <command>`, `<command> --help`, or a line without one asks for. */
function namesIn(argv: readonly string[]): readonly string[] | undefined {
  if (argv[0] === "help") return argv.slice(1);
  const last = argv.at(-1);
  return argv.length === 0 || last === "--help" || last === "-h" ? argv.slice(0, -1) : undefined;
}
