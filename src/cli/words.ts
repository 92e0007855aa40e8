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

/** The output format asked for, read before parsing: a usage error too is given in JSON to who asked for JSON. */
export function typedOutput(argv: readonly string[]): string | undefined {
  for (const [index, word] of argv.entries()) {
    if (word === "--") return undefined;
    if (word === "-o" || word === "--output") return argv[index + 1];
    const joined = /^(?:--output=|-o=?)(.+)$/.exec(word);
    if (joined !== null && !word.startsWith("--output-")) return joined[1];
  }
  return undefined;
}

function valuedFlags(): Set<string> {
  const flags = describeFlags(globalFlags).filter(({ placeholder }) => placeholder !== undefined);
  return new Set(flags.flatMap(({ long, short }) => (short === undefined ? [long] : [long, short])));
}
