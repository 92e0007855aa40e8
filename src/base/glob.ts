/**
 * Whether a text fits a pattern in which `*` stands for anything but a slash, `**` for anything, and `?` for one
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
