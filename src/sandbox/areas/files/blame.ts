import type { World } from "../../store/world.ts";
import { versions } from "./history.ts";
import type { Commit } from "./model.ts";

/** A line and the commit that added it. */
interface BlamedLine {
  readonly text: string;
  readonly commit: Commit;
}

/** With more pairs of lines to compare, all changed lines count as new. */
const maxPairs = 4_000_000;

/** Each line of a file as of a commit. */
export async function blame(world: World, at: Commit, path: string): Promise<BlamedLine[]> {
  let lines: BlamedLine[] = [];
  for (const { entry, commit } of versions(world, at, path)) {
    const text = (await world.store.blobs.read(entry.blob)).toString("utf8");
    lines = inherit(lines, splitLines(text), commit);
  }
  return lines;
}

function splitLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Lines shared with the previous version keep their commit; the others get the new one. */
function inherit(before: readonly BlamedLine[], after: readonly string[], commit: Commit): BlamedLine[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head]?.text === after[head]) head += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before.at(-1 - tail)?.text === after.at(-1 - tail)) tail += 1;
  const old = before.slice(head, before.length - tail);
  const fresh = after.slice(head, after.length - tail);
  return [
    ...before.slice(0, head),
    ...match(old, fresh, commit),
    ...(tail === 0 ? [] : before.slice(before.length - tail)),
  ];
}

/** The longest common subsequence of the changed middle. */
function match(old: readonly BlamedLine[], fresh: readonly string[], commit: Commit): BlamedLine[] {
  if (old.length * fresh.length > maxPairs) return fresh.map((text) => ({ text, commit }));
  const width = fresh.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = old[i]?.text === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  let i = 0;
  return fresh.map((text, j) => {
    while (i < old.length && old[i]?.text !== text && at(i + 1, j) >= at(i, j + 1)) i += 1;
    const same = old[i];
    if (same === undefined || same.text !== text) return { text, commit };
    i += 1;
    return same;
  });
}
