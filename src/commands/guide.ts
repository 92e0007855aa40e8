import { oneOf } from "../api/field.ts";
import { command } from "../declare/command.ts";
import { reflowed } from "../reference/reflow.ts";
import { ownPages, pagers, shown } from "./own-pages.ts";

/** The guides in docs/, in the order in which a new user needs them. */
export const guideNames = [
  "install",
  "sign-in",
  "find",
  "change",
  "many",
  "state",
  "scripting",
  "ci",
  "sandbox",
  "instances",
  "architecture",
  "contributing",
  "adding-a-kind",
  "test-scripts",
] as const;

export const guide = command({
  name: "guide",
  details:
    "The guides are part of the program, in Markdown, as in its repository below docs/. At a terminal they open in the " +
    "program that PAGER names, or in less, with paragraphs as wide as the terminal, and tables that are wider as lists. guide scripting has what a script may rely on.",
  args: { name: oneOf(guideNames, "Name of the guide (default: list them)") },
  examples: [{ line: "guide" }, { line: "guide scripting" }, { line: "guide ci > ci.md" }],
  related: ["man", "commands", "skill"],
  standalone: true,
  async run(context, { name }) {
    const { guides } = await ownPages(context);
    if (name === undefined) {
      const rows = guideNames.map((each) => ({ name: each, title: titleOf(guides[each] ?? "") }));
      return { rows, columns: ["name", "title"] };
    }
    const page = guides[name] ?? "";
    const { columns } = context.stdout;
    const source = columns === undefined ? page : reflowed(page, columns);
    return shown(context, { name: `${name}.md`, source, text: () => source, viewers: pagers(context) });
  },
});

function titleOf(page: string): string {
  return /^# (.*)$/m.exec(page)?.[1] ?? "";
}
