import { boolean } from "../api/field.ts";
import { type Command, command } from "../declare/command.ts";
import { commandTree, type Entry, globalEntries, loadNodes } from "../reference/tree.ts";

/** The whole command tree, for people and for programs. */
export function commandsCommand(entries: readonly Entry[]): Command {
  return command({
    name: "commands",
    summary: "List every command, with all its details in JSON",
    details:
      "A table has one line per command. In JSON, NDJSON, and YAML each one contains its usage, examples, " +
      "arguments, flags, and requests with the role and tier they need.",
    params: { global_flags: boolean("List the flags that every command takes instead") },
    examples: [
      { line: "commands" },
      { line: "commands -o json --jq '.[] | select(.deletes) | .command'", note: "commands that delete something" },
      { line: "commands --global-flags --fields flag,placeholder,description" },
    ],
    related: ["completion install"],
    standalone: true,
    async run(_context, { global_flags: globals }) {
      if (globals) return { rows: globalEntries(), columns: ["flag", "short", "placeholder", "description"] };
      return { rows: commandTree(await loadNodes(entries)), columns: ["command", "summary"] };
    },
  });
}
