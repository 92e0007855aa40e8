import type { Command, Group } from "../declare/command.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { powershellScript } from "./powershell.ts";
import { type WordTables, wordTables } from "./words.ts";
import { zshScript } from "./zsh.ts";

export const shells = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof shells)[number];

const scripts: Record<Shell, (tables: WordTables) => string> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

/** The completion script of a shell for these commands. */
export function completionScript(shell: Shell, nodes: readonly (Command | Group)[]): string {
  return scripts[shell](wordTables(nodes));
}
