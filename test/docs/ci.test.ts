import { readdirSync, readFileSync } from "node:fs";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { capitalize } from "../../src/base/wording.ts";
import { groups } from "../../src/commands/index.ts";
import { type CommandEntry, commandTree, loadNodes } from "../../src/reference/tree.ts";
import { fill, type Inputs, readTemplate } from "../support/pipeline.ts";

const page = readFileSync("docs/ci.md", "utf8");

/** The roles that reading and deleting require in a command that accepts job tokens. */
function roles({ requests }: CommandEntry): string {
  const accepted = requests.filter(({ job_token }) => job_token);
  const role = (deletes: boolean) =>
    accepted.find(({ method, role: each }) => (method === "DELETE") === deletes && each !== null)?.role ?? null;
  const [reading, deleting] = [role(false), role(true)];
  const words = [
    ...(reading === null ? [] : [capitalize(reading)]),
    ...(deleting === null ? [] : [`${capitalize(deleting)} to delete`]),
  ];
  return words.join(", ");
}

test("the table of what a job token can access matches the endpoints", async () => {
  const commands = commandTree(await loadNodes(groups)).filter(({ requests }) =>
    requests.some((each) => each.job_token),
  );
  const rows = commands.map((each) => `| \`${each.command}\` | ${roles(each)} |`);
  const [, table = ""] = page.split("| command | role of that user |\n| --- | --- |\n");
  expect(table.split("\n\n")[0]?.split("\n")).toEqual(rows);
});

test("every template is on the page, with inputs that it accepts", () => {
  const linked = [...page.matchAll(/\]\(\.\.\/templates\/([\w-]+\.yml)\)/g)].map(([, file]) => file);
  expect(linked.sort()).toEqual(readdirSync("templates").sort());
  const blocks = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = ""]) => load(text) as object);
  const included = blocks.flatMap((block) =>
    "include" in block ? (block.include as { file?: string; component?: string; inputs: Inputs }[]) : [],
  );
  expect(included.length).toBe(3);
  for (const { file, component = "", inputs } of included) {
    const path = file ?? `templates/${/([\w-]+)@/.exec(component)?.[1]}.yml`;
    expect(Object.keys(fill(readTemplate(path), inputs)).length).toBe(1);
  }
});

test("what a template stores is for the members of its project", () => {
  for (const name of readdirSync("templates")) {
    const text = readFileSync(`templates/${name}`, "utf8");
    const count = (line: RegExp) => text.match(line)?.length ?? 0;
    expect([name, count(/^ {4}access: developer$/gm)]).toEqual([name, count(/^ {2}artifacts:$/gm)]);
  }
});
