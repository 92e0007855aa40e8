/** Joins words into a shell line, quoted so that a shell splits it into the same words. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word))).join(" ");
}

type FlagValue = string | number | boolean | undefined;

/** Flags as words, by the names of their fields; one that was not given, or is off, is left out. */
export function flagWords(flags: Readonly<Record<string, FlagValue>>): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    const flag = name === "project" ? "-p" : name === "group" ? "-g" : `--${name.replaceAll("_", "-")}`;
    return value === true ? [flag] : [flag, String(value)];
  });
}

/** Quotes a text as one word for a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
