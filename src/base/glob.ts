const any = Symbol("any text without a slash");
const everything = Symbol("any text");
const one = Symbol("one character other than a slash");

/** A literal character, or a wildcard. */
type Part = string | typeof any | typeof everything | typeof one;

/**
 * A test whether a whole text matches a pattern, in which `*` matches anything but a slash, `**` anything, and `?` one
 * character other than a slash. Case matters.
 *
 * All ways to match are followed at once, one character after another: patterns and texts are written by others, and
 * trying one way after the other takes exponential time for some of them. The time is at most that of the text's length
 * times the pattern's.
 */
export function globOf(pattern: string): (text: string) => boolean {
  const parts = partsOf(pattern);
  return (text) => matches(parts, text);
}

function partsOf(pattern: string): Part[] {
  return Array.from(pattern.matchAll(/\*+|[^*]/gsu), ([part]) => {
    if (part.startsWith("*")) return part === "*" ? any : everything;
    return part === "?" ? one : part;
  });
}

function matches(parts: readonly Part[], text: string): boolean {
  // The numbers of parts that are matched so far, in every possible way; each is in the list at most once.
  let now: number[] = [];
  let next: number[] = [];
  const seen = new Int32Array(parts.length + 1).fill(-1);
  let length = 0;
  // A star may match nothing.
  const reach = (list: number[], from: number) => {
    for (let at = from; seen[at] !== length; at++) {
      seen[at] = length;
      list.push(at);
      if (parts[at] !== any && parts[at] !== everything) return;
    }
  };
  reach(now, 0);
  for (const character of text) {
    length += 1;
    for (const at of now) {
      const part = parts[at];
      if (part === everything || (part === any && character !== "/")) reach(next, at);
      else if (part === character || (part === one && character !== "/")) reach(next, at + 1);
    }
    if (next.length === 0) return false;
    [now, next] = [next, now];
    next.length = 0;
  }
  return seen[parts.length] === length;
}
