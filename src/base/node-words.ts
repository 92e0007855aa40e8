import { UsageError } from "./errors.ts";

/**
 * An option that Node reads from any word of the line, also behind `--`; the executable's Node does, too. Node 22 takes
 * whatever begins like the second.
 */
const option = /^--experimental-(?:config-file(?:=|$)|default-config-file)/;

/**
 * Refuses a line with a word that Node has read as its own: it may have changed the word, and have loaded modules that
 * a file names.
 */
export function refuseNodeWords(words: readonly string[]): void {
  const at = words.findIndex((word) => option.test(word));
  if (at < 0) return;
  const [name] = (words[at] ?? "").split("=");
  throw new UsageError(`argument ${at + 1} is ${name}, which Node reads wherever it is on the line`, {
    reason: "Node may have loaded the file that it names, and what that file names",
    nothing: "sent",
    hint: `write the path of a file as ./${name}, the text of a flag after =, others in a line of forgectl batch`,
  });
}
