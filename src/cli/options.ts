import { type Command as Commander, Option } from "commander";
import type { Fields } from "../api/field.ts";
import { isChange } from "../api/outcome.ts";
import { UsageError } from "../base/errors.ts";
import { memoized } from "../base/memo.ts";
import type { Command } from "../declare/command.ts";
import { type FlagDescription, parsedFlags, takesValue } from "../declare/describe.ts";
import { globalFlags } from "../declare/globals.ts";
import type { RawFlags } from "./convert.ts";

/** A commander option that computes its names once: commander asks for them hundreds of times per line. */
class Flag extends Option {
  #name: string | undefined;
  #attribute: string | undefined;

  override name(): string {
    this.#name ??= super.name();
    return this.#name;
  }

  /** commander stores a flag under its camel-case long name. */
  override attributeName(): string {
    this.#attribute ??= super.attributeName();
    return this.#attribute;
  }
}

interface FlagOption {
  readonly flag: FlagDescription;
  readonly option: Flag;
}

/** The flags of some fields as commander options. If one is given twice, the last applies. */
const optionsOf = memoized((fields: Fields) => optionsWith(fields, false));

/** The same for a command that changes something: one that is given two values is refused. */
const strictOptionsOf = memoized((fields: Fields) => optionsWith(fields, true));

function optionsWith(fields: Fields, isStrict: boolean): readonly FlagOption[] {
  return parsedFlags(fields).map((flag) => ({ flag, option: optionOf(flag, isStrict) }));
}

function optionOf(flag: FlagDescription, isStrict: boolean): Flag {
  const value = flag.placeholder === undefined ? "" : " <value>";
  const option = new Flag(`${flag.short === undefined ? "" : `${flag.short}, `}${flag.long}${value}`);
  // A `--no-x` flag is a separate flag, not the negation of `--x`, which `api --input` also has.
  option.negate = false;
  if (flag.repeatable) option.argParser((text: string, earlier: string[] | undefined) => [...(earlier ?? []), text]);
  else if (value !== "" && isStrict) option.argParser((text: string, earlier?: string) => only(flag, text, earlier));
  return option;
}

/** Only one of two values is used: of `--keep-regex a --keep-regex b`, what `a` was to keep would be deleted. */
function only({ long }: FlagDescription, text: string, earlier: string | undefined): string {
  if (earlier === undefined || earlier === text) return text;
  throw new UsageError(`${long}: is given twice, with different values`, { nothing: "sent" });
}

export function addFlags(commander: Commander, fields: Fields): void {
  addOptions(commander, optionsOf(fields));
}

/** The flags of a command. An alias may give the values of one that only reads, and what is typed after it applies. */
export function addFlagsOf(commander: Commander, command: Command): void {
  const { params, requests, changes, passThrough } = command;
  const mayChange = passThrough || changes !== undefined || requests.some(({ method }) => isChange(method));
  addOptions(commander, (mayChange ? strictOptionsOf : optionsOf)(params));
}

function addOptions(commander: Commander, options: readonly FlagOption[]): void {
  for (const { flag, option } of options) {
    commander.addOption(option);
    if (flag.negatable && !takesValue(flag.field)) commander.addOption(new Flag(`--no-${flag.long.slice(2)}`));
  }
}

/** The given flags of some fields, under the names of the fields. */
export function flagsIn(fields: Fields, commander: Commander): RawFlags {
  const values: Record<string, RawFlags[string]> = {};
  const options = commander.opts();
  for (const { flag, option } of optionsOf(fields)) {
    const value = options[option.attributeName()];
    if (value !== undefined) values[flag.name] = value;
  }
  return values;
}

/** Global flags may be anywhere; if one is given twice, the last applies. */
export function globalsIn(leaf: Commander): RawFlags {
  const levels: Commander[] = [];
  for (let level: Commander | null = leaf; level !== null; level = level.parent) levels.unshift(level);
  return Object.assign({}, ...levels.map((level) => flagsIn(globalFlags, level)));
}
