/**
 * A text without the characters at its end that match. `text.replace(/\/+$/, "")` tries every run of slashes from each
 * of its characters on: for texts that others wrote, its time grows with the square of their length.
 */
export function withoutEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
