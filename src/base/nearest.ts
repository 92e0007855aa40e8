/** Longer words are not compared: names of commands, fields, and settings are shorter. */
const maxLength = 200;

/**
 * The candidate closest to what was typed, if one is similar enough. Case, and `-` for `_`, are
 * ignored.
 */
export function nearest(typed: string, candidates: Iterable<string>): string | undefined {
  if (typed.length > maxLength) return undefined;
  const wanted = plain(typed);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    if (candidate.length > maxLength) continue;
    const distance = distanceTo(wanted, plain(candidate), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Guesses for the words of one run. After some of them, a file has other problems than typing errors. */
const maxGuesses = 20;

/** A `nearest` that stops guessing after a while: the number of unknown words is up to the file. */
export function guesser(): typeof nearest {
  let left = maxGuesses;
  return (typed, candidates) => (left-- > 0 ? nearest(typed, candidates) : undefined);
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll("-", "_");
}

/** The number of edits; of a distance that is not below `limit`, only that. */
function distanceTo(wanted: string, candidate: string, limit: number): number {
  // An unfinished word counts as close as a word with one or two typing errors.
  const maxDistance = wanted.length > 2 && candidate.startsWith(wanted) ? 1.5 : limit;
  // Each edit changes the length by at most one.
  const isFar = Math.abs(wanted.length - candidate.length) >= limit;
  return isFar ? maxDistance : Math.min(editDistance(wanted, candidate), maxDistance);
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
