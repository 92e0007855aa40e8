/** A scope with `*`: all groups or projects whose full path matches, letters without case. */
export interface Pattern {
  /** As written. */
  readonly text: string;
  /** Its segments in lower case; runs of `*` and `**` are one part. */
  readonly parts: readonly Part[];
  /** The text before the first `*`, in lower case; all of it if there is none. */
  readonly literal: string;
  /** It has a `**`. */
  readonly deep: boolean;
  /** It is everything below a group. */
  readonly whole: boolean;
}

/** No full path of the platform is longer; a longer pattern would match nothing, and cost more to compare. */
const maxLength = 1000;

/** A segment, in which `*` is any characters; or at least `min` whole segments, and any number if `open`. */
type Part = { readonly glob: string } | { readonly min: number; readonly open: boolean };

/** Whether a scope is a pattern, right or wrong. */
export function isPattern(name: string): boolean {
  return /[*?[\]{}]/.test(name);
}

/** A pattern, or why the text is none. */
export function readPattern(text: string): Pattern | { readonly problem: string } {
  if (text.length > maxLength) return { problem: `is longer than ${maxLength} characters, as no path is` };
  if (/[?[\]{}]/.test(text)) return { problem: "* and ** are the only wildcards" };
  if (text.startsWith("/") || text.endsWith("/")) return { problem: "begins and ends without a slash" };
  const segments = text.toLowerCase().split("/");
  if (segments.some((segment) => segment === "")) return { problem: "has two slashes in a row" };
  if (segments.some((segment) => segment.includes("**") && segment !== "**")) {
    return { problem: "** is a whole segment, once in a row" };
  }
  if (segments.some((segment, index) => segment === "**" && segments[index + 1] === "**")) {
    return { problem: "** is a whole segment, once in a row" };
  }
  if (segments[0]?.includes("*") !== false) return { problem: "the first segment has no wildcard: name a group" };
  const lower = segments.join("/");
  const literal = lower.slice(0, lower.indexOf("*"));
  const whole = lower === `${literal}**`;
  return { text, parts: partsOf(segments), literal, deep: segments.includes("**"), whole };
}

/** A path as a pattern that matches only it. */
export function exactly(path: string): Pattern {
  const lower = path.toLowerCase();
  return { text: path, parts: partsOf(lower.split("/")), literal: lower, deep: false, whole: false };
}

/** The full path, in lower case, of the group whose projects or groups it selects. */
export function rootOf({ literal }: Pattern): string {
  return literal.slice(0, literal.lastIndexOf("/"));
}

function partsOf(segments: readonly string[]): Part[] {
  const parts: Part[] = [];
  for (const [index, segment] of segments.entries()) {
    if (segment !== "*" && segment !== "**") {
      parts.push({ glob: segment });
      continue;
    }
    // At the end, ** is one or more segments; elsewhere none or more.
    const min = segment === "*" || index === segments.length - 1 ? 1 : 0;
    const before = parts.at(-1);
    const joined = before !== undefined && "min" in before ? parts.pop() : undefined;
    const run = joined !== undefined && "min" in joined ? joined : { min: 0, open: false };
    parts.push({ min: run.min + min, open: run.open || segment === "**" });
  }
  return parts;
}

/** Any characters of a segment, in a text that is matched instead of a path. */
const anyText = "\0";
/** Any number of segments. */
const anySegments = "\0\0";

/** Whether the full path of a scope matches. */
export function matches(pattern: Pattern, path: string): boolean {
  const lower = path.toLowerCase();
  if (!lower.startsWith(pattern.literal)) return false;
  return pattern.whole ? lower.length > pattern.literal.length : covers(pattern.parts, lower.split("/"));
}

/** Whether the parts match the segments, some of which may be any text, or any segments. */
function covers(parts: readonly Part[], segments: readonly string[]): boolean {
  let reached: ReadonlySet<number> = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    for (const from of reached) for (const to of endsOf(part, segments, from)) next.add(to);
    reached = next;
  }
  return reached.has(segments.length);
}

/** Where the part can end if it begins at a segment. */
function* endsOf(part: Part, segments: readonly string[], from: number): Generator<number> {
  if ("glob" in part) {
    const segment = segments[from];
    if (segment !== undefined && segment !== anySegments && globCovers(part.glob, segment)) yield from + 1;
    return;
  }
  let counted = 0;
  for (let to = from; ; to++) {
    if (counted >= part.min && (part.open || counted === part.min)) yield to;
    const segment = segments[to];
    if (segment === undefined || (segment === anySegments && !part.open)) return;
    if (segment !== anySegments) counted += 1;
    if (!part.open && counted > part.min) return;
  }
}

/** Whether a glob matches a text; linear for each star, without backtracking further than the last one. */
function globCovers(glob: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  let place = 0;
  while (at < text.length) {
    if (glob[place] === "*") {
      star = place++;
      resume = at;
    } else if (place < glob.length && glob[place] === text[at]) {
      place += 1;
      at += 1;
    } else if (star >= 0) {
      place = star + 1;
      at = ++resume;
    } else return false;
  }
  while (glob[place] === "*") place += 1;
  return place === glob.length;
}

/** Whether every path that the first matches is matched by the second as well. */
export function isWithin(first: Pattern, second: Pattern): boolean {
  const segments = first.parts.flatMap((part) => {
    if ("glob" in part) return [part.glob.replace(/\*/g, anyText)];
    return [...Array<string>(part.min).fill(anyText), ...(part.open ? [anySegments] : [])];
  });
  return covers(second.parts, segments);
}

/**
 * The order in which patterns that match one path apply: negative if the first comes first, 0 if they have equal right.
 * A longer literal beginning, then no `**`, then the narrower one.
 */
export function compare(first: Pattern, second: Pattern): number {
  if (first.literal.length !== second.literal.length) return second.literal.length - first.literal.length;
  if (first.deep !== second.deep) return first.deep ? 1 : -1;
  const [within, around] = [isWithin(first, second), isWithin(second, first)];
  return within === around ? 0 : within ? -1 : 1;
}

/** Whether a path exists that both match, now or later. */
export function overlap(first: Pattern, second: Pattern): boolean {
  if (!first.literal.startsWith(second.literal) && !second.literal.startsWith(first.literal)) return false;
  return meets(tokensOf(first), tokensOf(second));
}

/**
 * Whether a text exists that two globs match. If both have a star, only what is before the first and after the last
 * one matters: what is between stars can follow one after the other. So it takes no longer than the globs are.
 */
function globsMeet(one: string, other: string): boolean {
  if (!one.includes("*")) return globCovers(other, one);
  if (!other.includes("*")) return globCovers(one, other);
  const heads = [one, other].map((glob) => glob.slice(0, glob.indexOf("*"))) as [string, string];
  const tails = [one, other].map((glob) => glob.slice(glob.lastIndexOf("*") + 1)) as [string, string];
  const isOneIn = ([a, b]: [string, string], fits: (long: string, short: string) => boolean) =>
    fits(a, b) || fits(b, a);
  return (
    isOneIn(heads, (long, short) => long.startsWith(short)) && isOneIn(tails, (long, short) => long.endsWith(short))
  );
}

/** Its segments as globs; any number of segments is one token. */
function tokensOf({ parts }: Pattern): string[] {
  return parts.flatMap((part) => {
    if ("glob" in part) return [part.glob];
    return [...Array<string>(part.min).fill("*"), ...(part.open ? [anySegments] : [])];
  });
}

/** Whether two sequences of segments can become one. */
function meets(a: readonly string[], b: readonly string[]): boolean {
  // Whether the rests from each pair of places meet, from the end.
  let below = b.map(() => false);
  below.push(true);
  for (let j = b.length - 1; j >= 0; j--) below[j] = b[j] === anySegments && (below[j + 1] ?? false);
  for (let i = a.length - 1; i >= 0; i--) {
    const row: boolean[] = [];
    row[b.length] = a[i] === anySegments && (below[b.length] ?? false);
    for (let j = b.length - 1; j >= 0; j--) {
      const [one = "", other = ""] = [a[i], b[j]];
      const skips = (one === anySegments && below[j]) || (other === anySegments && row[j + 1]);
      const takes =
        one === anySegments ? row[j + 1] : other === anySegments ? below[j] : below[j + 1] && globsMeet(one, other);
      row[j] = Boolean(skips || takes);
    }
    below = row;
  }
  return below[0] ?? false;
}
