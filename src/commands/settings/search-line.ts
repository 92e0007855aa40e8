import { commandLine } from "../../base/line.ts";

/** The command that finds settings by the words of a name that none of them has. */
export function searchLine(name: string): string {
  return `forgectl ${commandLine(["settings", "list", "--search", name.replaceAll("_", " ").trim()])}`;
}
