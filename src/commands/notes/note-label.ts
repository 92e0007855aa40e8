interface ListedNote {
  id?: number;
  body?: string;
  author?: { name?: string | null | undefined; username?: string | null | undefined } | null | undefined;
}

const maxLength = 40;

/**
 * A note in a few words, for a question or a list of candidates: `note 300001 by Dana Dixon, "After some digging…"`.
 */
export function shortNote({ id, body = "", author }: ListedNote): string {
  const by = author?.name ?? author?.username;
  const words = body.trim().replace(/\s+/g, " ");
  const letters = [...words.slice(0, 4 * maxLength)];
  const first = letters.length > maxLength ? `${letters.slice(0, maxLength).join("").trimEnd()}...` : words;
  return `note ${id}${by ? ` by ${by}` : ""}${first === "" ? "" : `, "${first}"`}`;
}
