/** Deeper than anything the platform answers, and shallow enough for every function here that calls itself. */
const deepest = 200;

/** An answer's JSON. Throws on what is none, and on what is nested so deeply that it was made to do harm. */
export function parseAnswer(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isDeeper(value, deepest)) throw new SyntaxError("nested too deeply");
  return value;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1));
  // Not `Object.values`, which would copy every row.
  for (const name in value) if (isDeeper((value as Record<string, unknown>)[name], levels - 1)) return true;
  return false;
}

/** A value of an answer as words: a server's object need not be one that `String` can read. */
export function wordsOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
