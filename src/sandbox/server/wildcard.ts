/** `*` is any text. The first place where a part fits is as good as any other, so that none is tried again. */
export function fitsWildcard(filter: string, text: string): boolean {
  const [first = "", ...parts] = filter.split(/\*+/);
  const last = parts.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
