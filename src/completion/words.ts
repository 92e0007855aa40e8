/** A word that fits, whole, and what it is for. */
export type Offer = readonly [word: string, description: string];

/** What the shell completes by itself: paths of files, of folders only, or the programs of this machine. */
type Own = "file" | "folder" | "command";

/** What fits where the cursor is. */
export interface Answer {
  readonly offers: readonly Offer[];
  readonly own?: Own;
  /** How many characters of the word stand ahead of what the shell completes: `--from=`, `key=@`. */
  readonly skip?: number;
}

export const nothing: Answer = { offers: [] };

/** Those that begin as the word does; in another case where none does. */
export function matching(offers: Iterable<Offer>, typed: string): Offer[] {
  const all = [...offers];
  const exact = all.filter(([word]) => word.startsWith(typed));
  if (exact.length > 0) return exact;
  return all.filter(([word]) => word.toLowerCase().startsWith(typed.toLowerCase()));
}

/** The same answer for a word with this text ahead of it. */
export function behind(prefix: string, { offers, own, skip = 0 }: Answer): Answer {
  const whole = offers.map(([word, description]): Offer => [prefix + word, description]);
  return own === undefined ? { offers: whole } : { offers: whole, own, skip: prefix.length + skip };
}
