import { secretTexts } from "../api/secret-texts.ts";
import { commandLine } from "../base/shell-words.ts";
import type { Command } from "../declare/command.ts";
import { describeFlags } from "../declare/describe.ts";

interface Typed {
  readonly command: Command;
  readonly path: readonly string[];
  readonly input: Readonly<Record<string, unknown>>;
  /** `--yes` was given. */
  readonly yes: boolean;
}

/** With more items than this, the command line would be too long to read. */
const maxItems = 20;

/**
 * How to complete a command that failed for some of its items: the same command with only those. A sentence if the
 * command would be too long or would show a secret. Undefined for a command whose last argument is not a list.
 *
 * @param left the values of its last argument
 */
export function restHint({ command, path, input, yes }: Typed, left: readonly string[]): string | undefined {
  if (Object.values(command.args).at(-1)?.kind !== "array") return undefined;
  const flags = typedFlags(command, input);
  const secrets = secretTexts({ ...command.args, ...command.params }, input);
  if (left.length > maxItems || flags === undefined || secrets.length > 0) {
    return `run it again with the ${left.length} whose status is failed, refused, or not_tried`;
  }
  const args = [
    ...Object.keys(command.args)
      .slice(0, -1)
      .map((name) => String(input[name])),
    ...left,
  ];
  const after = [...flags, ...(yes ? ["--yes"] : [])];
  const words = args.some((word) => word.startsWith("-")) ? [...after, "--", ...args] : [...args, ...after];
  return `forgectl ${commandLine([...path, ...words])}`;
}

/** The flags that were given; undefined if one of them is not a single value. */
function typedFlags({ params }: Command, input: Readonly<Record<string, unknown>>): string[] | undefined {
  const words: string[] = [];
  for (const { name, short, long } of describeFlags(params)) {
    const value = input[name];
    if (value === undefined || value === false) continue;
    if (value === true) words.push(short ?? long);
    else if (typeof value === "string" || typeof value === "number") words.push(short ?? long, String(value));
    else return undefined;
  }
  return words;
}
