import { Argument, Command as Commander, CommanderError } from "commander";
import { missing, UsageError } from "../base/errors.ts";
import { memoized } from "../base/memo.ts";
import { isChoosable } from "../declare/choosable.ts";
import type { Command, Group } from "../declare/command.ts";
import { argumentTerms } from "../declare/describe.ts";
import { globalFlags } from "../declare/globals.ts";
import { namedNode, usageError } from "./complaint.ts";
import { convertArguments, convertFlags, relativeTimes } from "./convert.ts";
import { addFlags, addFlagsOf, flagsIn, globalsIn } from "./options.ts";
import { flagsOf, unknownVerb } from "./suggest.ts";
import { refuseSwallowedFlag } from "./swallowed-flag.ts";
import { unexpectedArgument } from "./unexpected-argument.ts";
import { flagName } from "./words.ts";

/** A parsed command line: a command with its input, or a requested help text. */
export type Invocation =
  | {
      kind: "run";
      command: Command;
      path: string[];
      input: Record<string, unknown>;
      /** Times of the input that are relative, as typed. */
      relative: Record<string, string>;
      globals: Record<string, unknown>;
      /** Names of missing arguments that the user can choose; only if the caller `asks`. */
      missing: readonly string[];
    }
  | { kind: "help"; node: Command | Group; path: string[] }
  | { kind: "version" };

/** A command to run. */
export type CommandInvocation = Extract<Invocation, { kind: "run" }>;

/**
 * Parses the words after the program's name for a loaded group. Throws UsageError on bad input.
 *
 * @param asks the caller lets the user choose missing arguments from a list
 */
export function parse(node: Command | Group, typed: readonly string[], asks = false): Invocation {
  refuseLongAsShort(node, typed);
  refuseSwallowedFlag(node, typed);
  const { argv, yesFor } = withoutYesName(node, typed);
  try {
    const reached = parserOf(node).parse(argv);
    if (reached === undefined) throw missing("<command>", { code: "missing_command" });
    const stray = strayIn(reached);
    if (stray === "help" && isHelpWord(reached, argv))
      return { kind: "help", node: reached.command, path: reached.path };
    if (stray !== undefined) throw unexpectedArgument(stray, { ...reached, argv });
    const invocation = invocationOf(reached, asks);
    return yesFor !== undefined && invocation.kind === "run"
      ? { ...invocation, globals: { ...invocation.globals, yes_for: yesFor } }
      : invocation;
  } catch (error) {
    if (error instanceof HelpAsked) return helpFor(error, argv);
    if (error instanceof CommanderError && error.code === "commander.helpDisplayed")
      return helpFor(namedNode(node, argv), argv);
    if (error instanceof CommanderError && error.code === "commander.version") return { kind: "version" };
    if (error instanceof CommanderError) throw usageError(error, node, argv);
    if (error instanceof UsageError) error.command ??= namedNode(node, argv).path.join(" ");
    throw error;
  }
}

/** `-project 7` would be the project `roject`. */
function refuseLongAsShort(group: Command | Group, argv: readonly string[]): void {
  if (!argv.some((word) => /^-[^-]./.test(word))) return;
  const { node, path } = namedNode(group, argv);
  const known = flagsOf(node);
  const valued = new Set(
    known.filter(({ placeholder }) => placeholder !== undefined).flatMap(({ long, short = long }) => [long, short]),
  );
  const end = argv.indexOf("--");
  for (const [index, word] of (end < 0 ? argv : argv.slice(0, end)).entries()) {
    if (!known.some(({ long }) => long === `-${flagName(word)}`) || valued.has(argv[index - 1] ?? "")) continue;
    const error = new UsageError(`unknown flag '${flagName(word)}'`, { hint: `did you mean -${flagName(word)}?` });
    error.command = path.join(" ");
    throw error;
  }
}

/**
 * `--yes=prod` is `--yes` with the name of a protected profile. commander knows flags with a value, and flags without
 * one; as the former, `--yes` would take the next word.
 */
function withoutYesName(node: Command | Group, typed: readonly string[]): { argv: readonly string[]; yesFor?: string } {
  const lead = "--yes=";
  if (!typed.some((word) => word.startsWith(lead))) return { argv: typed };
  const valued = new Set(
    flagsOf(namedNode(node, typed).node)
      .filter(({ placeholder }) => placeholder !== undefined)
      .flatMap(({ long, short = long }) => [long, short]),
  );
  const end = typed.indexOf("--");
  const isYes = (word: string, index: number) =>
    word.startsWith(lead) && !(end >= 0 && index > end) && !valued.has(typed[index - 1] ?? "");
  const yesFor = typed.findLast(isYes)?.slice(lead.length);
  if (yesFor === "") throw new UsageError("--yes=: missing <profile>", { hint: "type --yes, or --yes=<profile>" });
  return { argv: typed.map((word, index) => (isYes(word, index) ? "--yes" : word)), ...(yesFor && { yesFor }) };
}

/** Below a group, commander would show the group's help for an unknown command. */
function helpFor({ node, path }: Pick<HelpAsked, "node" | "path">, argv: readonly string[]): Invocation {
  const word = node.kind === "group" ? argv[argv.indexOf(node.name) + 1] : undefined;
  if (word !== undefined && word !== "help" && !word.startsWith("-")) throw unknownVerb(node, word, path);
  return { kind: "help", node, path };
}

/** The first word after the arguments that the command takes. */
function strayIn({ command, commander }: Reached): string | undefined {
  const terms = argumentTerms(command.args);
  return terms.at(-1)?.field.kind === "array" ? undefined : commander.args[terms.length];
}

/** `users list help`: a command without arguments has no other meaning for the word. */
function isHelpWord({ command, path }: Reached, argv: readonly string[]): boolean {
  const isBare = Object.keys(command.args).length === 0;
  return isBare && argv.at(-1) === "help" && argv.at(-2) === path.at(-1);
}

/** Thrown instead of printing commander's help: help is rendered from the command's own description. */
class HelpAsked extends Error {
  constructor(
    readonly node: Command | Group,
    readonly path: string[],
  ) {
    super("help");
  }
}

/** The parser of a group, created once: a batch parses thousands of lines. */
const parserOf = memoized((node: Command | Group) => new Parser(node));

/** The command that a line names, with its arguments as commander parsed them. */
interface Reached {
  readonly command: Command;
  readonly path: string[];
  readonly commander: Commander;
}

/** commander, set up for a group and its commands. */
class Parser {
  readonly #program: Commander;
  readonly #root: Level;
  #reached: Reached | undefined;

  constructor(node: Command | Group) {
    this.#program = new Commander("forgectl").enablePositionalOptions().helpCommand(false);
    this.#program.exitOverride().showSuggestionAfterError(false);
    this.#program.configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
    this.#program.helpOption("-h, --help");
    addFlags(this.#program, globalFlags);
    this.#root = new Level(this.#program, node, [], (reached) => {
      this.#reached = reached;
    });
  }

  parse(argv: readonly string[]): Reached | undefined {
    this.#root.describe(new Set(argv));
    this.#reached = undefined;
    this.#program.parse(argv, { from: "user" });
    return this.#reached;
  }
}

/** A command or group in commander: registered by name only until a line contains that name. */
class Level {
  readonly #node: Command | Group;
  readonly #path: string[];
  readonly #parent: Commander;
  readonly #commander: Commander;
  readonly #reach: (reached: Reached) => void;
  #below: Level[] | undefined;

  constructor(parent: Commander, node: Command | Group, above: readonly string[], reach: (reached: Reached) => void) {
    this.#node = node;
    this.#path = [...above, node.name];
    this.#parent = parent;
    this.#commander = parent.command(node.name);
    this.#reach = reach;
  }

  /** Registers the flags and arguments of the commands that are among these words. */
  describe(words: ReadonlySet<string>): void {
    if (!words.has(this.#node.name)) return;
    this.#below ??= this.#described();
    for (const each of this.#below) each.describe(words);
  }

  #described(): Level[] {
    const node = this.#node;
    const path = this.#path;
    const child = this.#commander;
    child.copyInheritedSettings(this.#parent);
    child.configureHelp({
      formatHelp: () => {
        throw new HelpAsked(node, path);
      },
    });
    addFlags(child, globalFlags);
    child.version("", "-V, --version");
    if (node.kind === "group") {
      child.enablePositionalOptions();
      return node.children.map((each) => new Level(child, each, path, this.#reach));
    }
    addFlagsOf(child, node);
    if (node.passThrough) child.passThroughOptions();
    // Missing arguments are checked in missingArguments: a person may choose them.
    for (const { term } of argumentTerms(node.args)) child.addArgument(new Argument(term.replace(/^<(.*)>$/, "[$1]")));
    child.allowExcessArguments();
    child.action(() => this.#reach({ command: node, path, commander: child }));
    return [];
  }
}

function invocationOf({ command, path, commander }: Reached, asks: boolean): Invocation {
  try {
    const open = missingArguments(command, commander.processedArgs, asks);
    const flags = flagsIn(command.params, commander);
    return {
      kind: "run",
      missing: open,
      command,
      path,
      input: { ...convertArguments(command, commander.processedArgs), ...convertFlags(command.params, flags) },
      relative: relativeTimes(command.params, flags),
      globals: convertFlags(globalFlags, globalsIn(commander)),
    };
  } catch (error) {
    if (error instanceof UsageError) error.command ??= path.join(" ");
    throw error;
  }
}

/** The names of missing arguments that can be chosen. Throws if one cannot. */
function missingArguments(command: Command, texts: readonly unknown[], asks: boolean): string[] {
  const open = argumentTerms(command.args).filter(({ field }, index) => {
    const text = texts[index];
    return field.required && (text === undefined || (Array.isArray(text) && text.length === 0));
  });
  const [first] = open;
  if (first === undefined) return [];
  if (asks && open.every(({ field }) => isChoosable(field))) return open.map(({ name }) => name);
  throw missing(first.term);
}
