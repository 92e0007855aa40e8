/**
 * Parses JSON from outside. An object with a field `toString` has no text form: `String` and templates would throw. It
 * gets one, which is not enumerable, so that output and copies have only what was parsed.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (mayLackText.test(text)) giveTexts(value);
  return value;
}

/** The name, or a letter that is escaped and may be one of it. */
const mayLackText = /toString|\\u00[5-7][\da-f]/i;

function giveTexts(root: unknown): void {
  // Not recursive: the depth is checked later.
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const found = value;
    if (Object.hasOwn(found, "toString")) {
      Object.defineProperty(found, Symbol.toPrimitive, { value: () => JSON.stringify(found) });
    }
    for (const each of Object.values(found)) if (typeof each === "object" && each !== null) open.push(each);
  }
}
