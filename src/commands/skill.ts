import type { Context } from "../context.ts";
import type { Command } from "../declare/command.ts";
import { reflowed } from "../reference/reflow.ts";
import { skillPage } from "../reference/skill.ts";
import { commandTree, type Entry, loadNodes } from "../reference/tree.ts";
import { print } from "../verbs/print.ts";

interface NamedEntry extends Entry {
  readonly name: string;
  readonly summary: string;
}

export function skillCommand(groups: readonly NamedEntry[]): Command {
  const page = async ({ stdout: { columns } }: Context) => {
    const text = skillPage({ commands: commandTree(await loadNodes(groups)), groups });
    return columns === undefined ? text : reflowed(text, columns);
  };
  return print("skill", page, {
    details:
      "The page says how to find commands, look, preview and plan changes, and what the exit codes mean. It is made " +
      "from the commands of this version; its command lines are valid.",
    examples: [{ line: "skill" }, { line: "skill > SKILL.md", note: "for an assistant that reads such files" }],
    related: ["commands", "guide"],
    standalone: true,
  });
}
