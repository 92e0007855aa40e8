import { differences } from "../api/differences.ts";

const head = `# Real instances

The API documents are the rule that the program is written by. Where the service is known to answer otherwise, the
program serves both: \`src/api/differences.ts\` is the list, and \`forgectl sandbox start --as-deployed\` answers as its
third column says. Written by \`npm run generate\`.
`;

/** The page of known differences between the API documents and real instances. */
export function instancesPage(): string {
  const rows = differences.map((each) => `| ${each.id} | ${each.documents} | ${each.instances} | ${each.program} |`);
  return [
    head,
    "| difference | the documents | instances | the program |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}
