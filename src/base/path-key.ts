import { normalize } from "node:path";
import { withoutEnd } from "./without-end.ts";

/** What two spellings of one file have in common: some file systems ignore case, and the form of accents. */
export function pathKey(path: string): string {
  return withoutEnd(normalize(path), /[\\/]/).normalize("NFC").toLowerCase();
}
