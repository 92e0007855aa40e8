import type { Environment } from "../../host.ts";

/**
 * Whether what is on the terminal may be changed in place: by the progress line, prompts, and pictures. A screen reader
 * would read each change as new text, and a dumb terminal cannot move the cursor.
 */
export function repaints({ ACCESSIBLE, TERM }: Environment): boolean {
  return TERM !== "dumb" && (!ACCESSIBLE || ACCESSIBLE === "0" || ACCESSIBLE === "false");
}
