/** Real instances find a shorter word only where it is the whole text. */
const SHORTEST = 3;

/**
 * Whether one of the texts matches a search as on real instances: every word of three characters or more is in the
 * same text; others are ignored beside them.
 */
export function foundIn(texts: readonly (string | null)[], search: string): boolean {
  const query = search.trim().toLowerCase();
  const words = query.split(/\s+/).filter((word) => word.length >= SHORTEST);
  return texts.some((text) => {
    const own = (text ?? "").toLowerCase();
    return words.length === 0 ? own === query : words.every((word) => own.includes(word));
  });
}
