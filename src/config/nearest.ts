/** The candidate that the fewest typing mistakes lead from, if it is near enough to be meant. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let fewest = Math.max(2, Math.ceil(name.length / 3)) + 1;
  for (const candidate of candidates) {
    const mistakes = distance(name.toLowerCase().replaceAll("_", "-"), candidate.toLowerCase());
    if (mistakes < fewest) [best, fewest] = [candidate, mistakes];
  }
  return best;
}

/** How many insertions, deletions, and substitutions lie between the two. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
