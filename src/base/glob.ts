/**
 * A test whether a text matches a pattern, in which `*` matches anything but a slash, `**` anything, and `?` one
 * character.
 */
export function globOf(pattern: string): (text: string) => boolean {
  const source = pattern.replace(/\*\*|[*?]|[.+^${}()|[\]\\]/g, (part) => {
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    return part === "?" ? "[^/]" : `\\${part}`;
  });
  const regex = new RegExp(`^${source}$`, "su");
  return (text) => regex.test(text);
}
