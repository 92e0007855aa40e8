import { UsageError } from "../../base/errors.ts";
import { pauses } from "../../base/next-turn.ts";
import type { Context } from "../../context.ts";
import type { Block } from "../block.ts";
import { originText } from "../finding.ts";
import type { Reader } from "../live/reader.ts";
import { rootOf } from "../pattern.ts";
import type { EarlierNames } from "./earlier-names.ts";
import type { Fleet } from "./fleets.ts";

interface Asked {
  readonly context: Context;
  readonly reader: Reader;
  readonly earlier: EarlierNames;
}

/**
 * Refuses exceptions of a pattern that name a group, or what has another path by now, and warns about those that leave
 * nothing out, as a name that was mistyped does.
 */
export async function checkExceptions({ context, reader, earlier }: Asked, block: Block, fleet: Fleet): Promise<void> {
  const pause = pauses(context);
  for (const each of block.except) {
    const { pattern, origin } = each;
    const isWide = pattern.text.includes("*");
    if (isWide ? !fleet.hasBelow(rootOf(pattern)) : !fleet.has(pattern.literal)) {
      if (block.at === "project" && !isWide) await refuseGroup(reader, each);
      await earlier.refuseException(block, each, { scopes: () => fleet.matched });
    }
    // How many exceptions there are is up to the file, and how much they are compared with to others.
    await pause();
    if (!fleet.hasAny(pattern)) {
      context.warn(`${originText(origin)}: except ${pattern.text} leaves nothing out of ${block.pattern.text}`);
    }
  }
}

async function refuseGroup(reader: Reader, { pattern, origin }: Block["except"][number]) {
  if ((await reader.places.of({ at: "group", name: pattern.text })) === undefined) return;
  throw new UsageError(`${originText(origin)}: ${pattern.text} is a group; write ${pattern.text}/**`, {
    code: "invalid_state",
    nothing: "sent",
  });
}
