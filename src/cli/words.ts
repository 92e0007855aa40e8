import { describeFlags } from "../declare/describe.ts";
import { globalFlags } from "../declare/globals.ts";

/** Command flags that are often typed before the command; the parser says where they belong. */
const scopes = ["-p", "--project", "-g", "--group"];

/** Flags whose value is the next word. */
let valued: ReadonlySet<string> | undefined;

/** The first word that is neither a global flag nor its value: the group. Undefined if there are only flags. */
export function firstWord(argv: readonly string[]): string | undefined {
  valued ??= new Set([...valuedFlags(), ...scopes]);
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] as string;
    if (word === "--") return argv[index + 1];
    if (!word.startsWith("-") || word === "-") return word;
    if (valued.has(word)) index += 1;
  }
  return undefined;
}

/** A flag without a value in the same word, which may be a secret: behind `=`, or joined to a short flag. */
export function flagName(word: string): string {
  const name = word.replace(/=.*/s, "");
  // A long flag with one dash is typed by mistake.
  return /^-[A-Za-z](?![a-z-]{0,30}$)/.test(name) ? name.slice(0, 2) : name;
}

/** The hint for a flag that other tools take a token with. */
export const tokenHint = "a token is never an argument: set FORGECTL_TOKEN, or forgectl auth login";

/**
 * The value of a global flag, read before parsing because the format of a usage error depends on it. The last one
 * applies, and short flags may be combined, as in `-qo json`.
 */
export function typedValue(argv: readonly string[], long: "output" | "color", short?: "o"): string | undefined {
  const together = new RegExp(`^-[${switches()}]*${short}=?(.*)$`);
  let value: string | undefined;
  for (const [index, word] of argv.entries()) {
    if (word === "--") break;
    const joined = short === undefined ? undefined : together.exec(word)?.[1];
    if (word === `--${long}` || joined === "") value = argv[index + 1];
    else if (word.startsWith(`--${long}=`)) value = word.slice(long.length + 3);
    else value = joined ?? value;
  }
  return value;
}

/** The letters of the short flags without a value. */
export function switches(): string {
  const flags = describeFlags(globalFlags).filter(({ placeholder }) => placeholder === undefined);
  return flags.map(({ short }) => short?.slice(1) ?? "").join("");
}

function valuedFlags(): Set<string> {
  const flags = describeFlags(globalFlags).filter(({ placeholder }) => placeholder !== undefined);
  return new Set(flags.flatMap(({ long, short }) => (short === undefined ? [long] : [long, short])));
}
