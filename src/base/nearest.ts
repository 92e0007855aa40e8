/**
 * The candidate closest to what was typed, if one is similar enough. Case, and `-` for `_`, are
 * ignored.
 */
export function nearest(typed: string, candidates: Iterable<string>): string | undefined {
  const wanted = plain(typed);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const edits = editDistance(wanted, plain(candidate));
    // An unfinished word counts as close as a word with one or two typing errors.
    const begins = wanted.length > 2 && plain(candidate).startsWith(wanted);
    const distance = begins ? Math.min(edits, 1.5) : edits;
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll("-", "_");
}

/** Insertions, deletions, replacements, and swaps of neighbors (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + same);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}
