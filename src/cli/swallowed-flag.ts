import { UsageError } from "../base/errors.ts";
import type { Command, Group } from "../declare/command.ts";
import { namedNode } from "./complaint.ts";
import { flagsOf } from "./suggest.ts";
import { flagName } from "./words.ts";

/**
 * Refuses a flag in the place of another one's value: of `--name $name --dry-run` without a `name`, a shell leaves
 * `--name --dry-run`, which would be sent. A value that begins like a flag is written `--name=--dry-run`.
 */
export function refuseSwallowedFlag(group: Command | Group, argv: readonly string[]): void {
  const end = argv.indexOf("--");
  const words = end < 0 ? argv : argv.slice(0, end);
  if (!words.some((word, index) => isLikeFlag(word) && isLikeFlag(words[index + 1] ?? ""))) return;
  const { node, path } = namedNode(group, words);
  const known = flagsOf(node);
  const names = new Set(known.flatMap(({ long, short = long }) => [long, short, `--no-${long.slice(2)}`]));
  const letters = known.flatMap(({ short, placeholder }) => (placeholder === undefined ? (short?.slice(1) ?? []) : []));
  // Short flags without a value may be combined, as in `-nq`.
  const switches = new RegExp(`^-[${letters.join("")}]{2,}$`);
  const valued = new Map(
    known.flatMap((flag) =>
      flag.placeholder === undefined ? [] : [flag.long, flag.short ?? flag.long].map((name) => [name, flag] as const),
    ),
  );
  for (let index = 0; index < words.length; index++) {
    const flag = valued.get(words[index] ?? "");
    if (flag === undefined) continue;
    index += 1;
    const value = flagName(words[index] ?? "");
    if (!names.has(value) && !switches.test(value)) continue;
    const error = new UsageError(`${flag.long}: missing ${flag.placeholder}`, {
      reason: `${value} follows it, which is a flag`,
      nothing: "sent",
      hint: `a value that begins like a flag is written ${flag.long}=${value}`,
    });
    error.command = path.join(" ");
    throw error;
  }
}

function isLikeFlag(word: string): boolean {
  return /^-[^\d]/.test(word);
}
