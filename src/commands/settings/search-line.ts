import { commandLine } from "../../base/shell-words.ts";

/** The command that searches settings for the words of an unknown name. */
export function searchLine(name: string): string {
  return `forgectl ${commandLine(["settings", "list", "--search", name.replaceAll("_", " ").trim()])}`;
}
