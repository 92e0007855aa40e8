/** Deeper than any answer of the platform, and shallow enough for recursive functions. */
const maxDepth = 200;

/** Parses an answer's JSON. Throws if it is not valid, or nested so deeply that recursion would fail. */
export function parseAnswer(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isDeeper(value, maxDepth)) throw new SyntaxError("nested too deeply");
  return value;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1));
  // Not `Object.values`, which would copy every row; and no call for a scalar, as most values are.
  for (const name in value) {
    const each = (value as Record<string, unknown>)[name];
    if (typeof each === "object" && each !== null && isDeeper(each, levels - 1)) return true;
  }
  return false;
}

/** A value of an answer as text, since `String` fails for some objects. */
export function wordsOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
