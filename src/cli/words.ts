import { describeFlags } from "../command/describe.ts";
import { globalFlags } from "../command/globals.ts";

/** The first word that is no global flag and no value of one: the group. Undefined where there is only flags. */
export function firstWord(argv: readonly string[]): string | undefined {
  const valued = valuedFlags();
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] as string;
    if (word === "--") return argv[index + 1];
    if (!word.startsWith("-") || word === "-") return word;
    if (valued.has(word)) index += 1;
  }
  return undefined;
}

/** What a global flag was given, read before parsing: how an error is told, a usage error too, hangs on it. */
export function typedValue(argv: readonly string[], long: "output" | "color", short?: "o"): string | undefined {
  for (const [index, word] of argv.entries()) {
    if (word === "--") return undefined;
    if (word === `--${long}` || word === `-${short}`) return argv[index + 1];
    if (word.startsWith(`--${long}=`)) return word.slice(long.length + 3);
    if (short !== undefined && word.startsWith(`-${short}`)) return word.slice(2).replace(/^=/, "");
  }
  return undefined;
}

function valuedFlags(): Set<string> {
  const flags = describeFlags(globalFlags).filter(({ placeholder }) => placeholder !== undefined);
  return new Set(flags.flatMap(({ long, short }) => (short === undefined ? [long] : [long, short])));
}
