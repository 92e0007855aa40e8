// Text to values, by one rule for flags, the environment, profiles, and settings. Callers report a text that is not
// valid, and where it came from.

/** `true`, `false`, `yes`, `no`, and the like; undefined for any other word. */
export function readBoolean(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (["true", "yes", "on", "1"].includes(word)) return true;
  return ["false", "no", "off", "0"].includes(word) ? false : undefined;
}

/** A safe integer; undefined for any other text. */
export function readInteger(text: string): number | undefined {
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value + 0 : undefined;
}

/** A decimal number, with or without an exponent; undefined for any other text. */
export function readNumber(text: string): number | undefined {
  const value = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value + 0 : undefined;
}

/** Undefined for what is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
