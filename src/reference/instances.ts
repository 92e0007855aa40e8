import { differences } from "../api/differences.ts";

const head = `# Real instances

The API documents are the rule that the program is written by. Where the service is known to answer otherwise, the
program serves both: \`src/api/differences.ts\` is the list, and \`forgectl sandbox start --as-deployed\` answers as its
third column says. Written by \`npm run generate\`.

Is another instance what the documents say? \`forgectl doctor --api -p <project> -g <group> > instance.tsv\` asks, and changes
nothing. The file has routes, verdicts, names of fields, and the release, but no values of the instance: read it, and
attach it to an issue of this project. Rows that say \`differs\` are what this page does not know yet.
`;

/** A cell may hold a command with alternatives: unescaped, each `|` would begin another cell. */
function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** The page of known differences between the API documents and real instances. */
export function instancesPage(): string {
  const rows = differences.map(({ id, documents, instances, program }) => row([id, documents, instances, program]));
  return [
    head,
    "| difference | the documents | instances | the program |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}
