import type { Environment } from "../host.ts";

/** The signs of this program's own texts. What a server or a file says is shown as it is. */
export interface Signs {
  /** Between what was and what is: `10 → 5`. */
  readonly arrow: string;
  /** In place of the rest of a text that was cut. */
  readonly cut: string;
  /** Before the choice that Enter takes. */
  readonly pointer: string;
  /** The keys that move it. */
  readonly moving: string;
  /** Whether blocks and shades can be drawn; otherwise words and numbers replace them. */
  readonly drawn: boolean;
}

export const unicodeSigns: Signs = { arrow: "→", cut: "…", pointer: "❯", moving: "↑↓", drawn: true };
const asciiSigns: Signs = { arrow: "->", cut: "...", pointer: ">", moving: "Up and Down", drawn: false };

/**
 * ASCII, if the locale says `C`, `POSIX`, or a charset other than UTF-8. No locale at all says nothing: in containers
 * it is usual, and their terminals show UTF-8.
 */
export function signsOf({ LC_ALL, LC_CTYPE, LANG }: Environment): Signs {
  const [language = "", charset] = (LC_ALL || LC_CTYPE || LANG || "").replace(/@.*$/s, "").split(".");
  if (charset === undefined) return language === "C" || language === "POSIX" ? asciiSigns : unicodeSigns;
  return /^utf-?8$/i.test(charset) ? unicodeSigns : asciiSigns;
}
