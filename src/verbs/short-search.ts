import type { Context } from "../context.ts";
import type { Command } from "../declare/command.ts";

/** The fewest characters of a word that instances search for within names (short-words). */
const shortest = 3;

/** Warns of words in a search that instances ignore, or find only where they are the whole name. */
export function warnOfShortSearch(context: Pick<Context, "warn">, search: string | undefined): void {
  const words = (search ?? "").split(/\s+/).filter((word) => word !== "");
  const short = words.filter((word) => [...word].length < shortest).map((word) => `"${word}"`);
  if (short.length === 0) return;
  const effect =
    short.length < words.length
      ? "ignore it beside the others"
      : "find it only where it is all of a name, or not at all";
  context.warn(`--search: ${short.join(", ")} has fewer than ${shortest} characters: instances ${effect}`);
}

/** A list with `--search`, with that warning. */
export function warningOfShortSearch(list: Command): Command {
  return {
    ...list,
    async run(context: Context, input: never) {
      warnOfShortSearch(context, (input as { search?: string }).search);
      return list.run(context, input);
    },
  };
}
