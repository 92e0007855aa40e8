/** A complete word, and its description. */
export type Offer = readonly [word: string, description: string];

/** What the shell completes by itself: files, folders, or commands. */
type Own = "file" | "folder" | "command";

/** The completions at the cursor. */
export interface Completions {
  readonly offers: readonly Offer[];
  readonly own?: Own;
  /** How many characters of the word precede what the shell completes: `--from=`, `key=@`. */
  readonly skip?: number;
}

export const nothing: Completions = { offers: [] };

/** The offers that start with the word; case-insensitive if none matches exactly. */
export function matching(offers: Iterable<Offer>, typed: string): Offer[] {
  const all = [...offers];
  const exact = all.filter(([word]) => word.startsWith(typed));
  if (exact.length > 0) return exact;
  return all.filter(([word]) => word.toLowerCase().startsWith(typed.toLowerCase()));
}

/** The same answer for a word with this prefix. */
export function withPrefix(prefix: string, { offers, own, skip = 0 }: Completions): Completions {
  const whole = offers.map(([word, description]): Offer => [prefix + word, description]);
  return own === undefined ? { offers: whole } : { offers: whole, own, skip: prefix.length + skip };
}
