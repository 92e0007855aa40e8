import { Argument, Command as Commander, CommanderError, Option } from "commander";
import type { Fields } from "../api/field.ts";
import { UsageError } from "../base/errors.ts";
import { isChoosable } from "../declare/choosing.ts";
import type { Command, Group } from "../declare/command.ts";
import { argumentTerms, type FlagDescription, parsedFlags, takesValue } from "../declare/describe.ts";
import { globalFlags } from "../declare/globals.ts";
import { deepest, usageError } from "./complaint.ts";
import { convertArguments, convertFlags, missingArgument, type RawFlags } from "./convert.ts";
import { flagsOf, unknownVerb } from "./suggest.ts";
import { flagName } from "./words.ts";

/** A parsed command line: a command with its input, or a requested help text. */
export type Invocation =
  | {
      kind: "run";
      command: Command;
      path: string[];
      input: Record<string, unknown>;
      globals: Record<string, unknown>;
      /** Names of missing arguments that the user can choose; only if the caller `asks`. */
      missing: readonly string[];
    }
  | { kind: "help"; node: Command | Group; path: string[] }
  | { kind: "version" };

/**
 * Parses the words after the program's name for a loaded group. Throws UsageError on bad input.
 *
 * @param asks the caller lets the user choose missing arguments from a list
 */
export function parse(node: Command | Group, argv: readonly string[], asks = false): Invocation {
  refuseLongAsShort(node, argv);
  let found: Invocation | undefined;
  const program = new Commander("forgectl").enablePositionalOptions().helpCommand(false);
  program.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  program.helpOption("-h, --help");
  const typed = new Set(argv);
  const globals = optionsOf(globalFlags).map(({ option }) => option);
  for (const option of globals) program.addOption(option);
  attach(program, node, [], { typed, globals, asks, found: (invocation) => (found = invocation) });
  try {
    program.parse(argv, { from: "user" });
  } catch (error) {
    if (error instanceof HelpAsked) return helpFor(error, argv);
    if (error instanceof CommanderError && error.code === "commander.helpDisplayed")
      return helpFor(deepest(node, argv), argv);
    if (error instanceof CommanderError && error.code === "commander.version") return { kind: "version" };
    if (error instanceof CommanderError) throw usageError(error, node, argv);
    throw error;
  }
  if (found === undefined) throw new UsageError("nothing to do", { code: "missing_command" });
  return found;
}

/** `-project 7` would be the project `roject`. */
function refuseLongAsShort(group: Command | Group, argv: readonly string[]): void {
  const { node, path } = deepest(group, argv);
  const known = flagsOf(node);
  const valued = new Set(
    known.filter(({ placeholder }) => placeholder !== undefined).flatMap(({ long, short = long }) => [long, short]),
  );
  const end = argv.indexOf("--");
  for (const [index, word] of (end < 0 ? argv : argv.slice(0, end)).entries()) {
    if (!known.some(({ long }) => long === `-${flagName(word)}`) || valued.has(argv[index - 1] ?? "")) continue;
    const error = new UsageError(`unknown option '${flagName(word)}'`, { hint: `did you mean -${flagName(word)}?` });
    error.command = path.join(" ");
    throw error;
  }
}

interface Attaching {
  /** The words of the line: commands not among them are registered by name only. */
  typed: ReadonlySet<string>;
  /** The global flags, accepted at every level. */
  globals: readonly Option[];
  asks: boolean;
  found(invocation: Invocation): void;
}

/** Below a group, commander would show the group's help for an unknown command. */
function helpFor({ node, path }: Pick<HelpAsked, "node" | "path">, argv: readonly string[]): Invocation {
  const word = node.kind === "group" ? argv[argv.indexOf(node.name) + 1] : undefined;
  if (word !== undefined && !word.startsWith("-")) throw unknownVerb(node, word, path);
  return { kind: "help", node, path };
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

function attach(parent: Commander, node: Command | Group, above: readonly string[], attaching: Attaching): void {
  const path = [...above, node.name];
  const child = parent.command(node.name);
  if (!attaching.typed.has(node.name)) return;
  child.copyInheritedSettings(parent);
  child.configureHelp({
    formatHelp: () => {
      throw new HelpAsked(node, path);
    },
  });
  for (const option of attaching.globals) child.addOption(option);
  child.version("", "-V, --version");
  if (node.kind === "group") {
    child.enablePositionalOptions();
    for (const each of node.children) attach(child, each, path, attaching);
    return;
  }
  addFlags(child, node.params);
  if (node.passThrough) child.passThroughOptions();
  const { asks, found } = attaching;
  for (const { term } of argumentTerms(node.args)) {
    child.addArgument(new Argument(asks ? term.replace(/^<(.*)>$/, "[$1]") : term));
  }
  child.action(() => found(invocationOf(node, path, child)));
}

function invocationOf(command: Command, path: string[], commander: Commander): Invocation {
  try {
    const missing = missingArguments(command, commander.processedArgs);
    const raw = renamed(command.params, commander.opts());
    return {
      kind: "run",
      missing,
      command,
      path,
      input: { ...convertArguments(command, commander.processedArgs), ...convertFlags(command.params, raw) },
      globals: convertFlags(globalFlags, globalsOf(commander)),
    };
  } catch (error) {
    if (error instanceof UsageError) error.command ??= path.join(" ");
    throw error;
  }
}

/** The names of missing arguments that can be chosen. Throws commander's error if one cannot. */
function missingArguments(command: Command, texts: readonly unknown[]): string[] {
  const missing = argumentTerms(command.args).filter(({ field }, index) => {
    const text = texts[index];
    return field.required && (text === undefined || (Array.isArray(text) && text.length === 0));
  });
  const [first] = missing;
  if (first === undefined || missing.every(({ field }) => isChoosable(field))) return missing.map(({ name }) => name);
  throw missingArgument(first.term);
}

/** commander stores a flag under its camel-case long name. */
function renamed(fields: Fields, options: Record<string, unknown>): RawFlags {
  return Object.fromEntries(optionsOf(fields).map(({ flag, attribute }) => [flag.name, options[attribute] as string]));
}

/** Global flags may be anywhere; if one is given twice, the last applies. */
function globalsOf(leaf: Commander): RawFlags {
  const levels: Commander[] = [];
  for (let level: Commander | null = leaf; level !== null; level = level.parent) levels.unshift(level);
  return Object.assign({}, ...levels.map((level) => defined(renamed(globalFlags, level.opts()))));
}

function defined(values: RawFlags): RawFlags {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

interface FlagOption {
  readonly flag: FlagDescription;
  readonly option: Option;
  /** commander's name for it. */
  readonly attribute: string;
}

const madeOptions = new WeakMap<Fields, readonly FlagOption[]>();

/** The flags of some fields as commander options, created once: a batch parses thousands of lines. */
function optionsOf(fields: Fields): readonly FlagOption[] {
  let made = madeOptions.get(fields);
  if (made === undefined) {
    made = parsedFlags(fields).map((flag) => {
      const option = optionOf(flag);
      return { flag, option, attribute: option.attributeName() };
    });
    madeOptions.set(fields, made);
  }
  return made;
}

function optionOf(flag: FlagDescription): Option {
  const value = flag.placeholder === undefined ? "" : " <value>";
  const option = new Option(`${flag.short === undefined ? "" : `${flag.short}, `}${flag.long}${value}`);
  // A `--no-x` flag is a separate flag, not the negation of `--x`, which `api --input` also has.
  option.negate = false;
  if (flag.repeatable) option.argParser((text: string, earlier: string[] | undefined) => [...(earlier ?? []), text]);
  return option;
}

function addFlags(commander: Commander, fields: Fields): void {
  for (const { flag, option } of optionsOf(fields)) {
    commander.addOption(option);
    if (flag.negatable && !takesValue(flag.field)) commander.addOption(new Option(`--no-${flag.long.slice(2)}`));
  }
}
