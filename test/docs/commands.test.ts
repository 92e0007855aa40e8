import { describe, expect, test } from "vitest";
import { changes } from "../../src/api/endpoint.ts";
import { exitCodes } from "../../src/base/errors.ts";
import { helpWidth, layOut } from "../../src/base/help-page.ts";
import { topicPage } from "../../src/base/topic-page.ts";
import { globalsPage, nodeHelp, rootHelp } from "../../src/cli/help.ts";
import { parse } from "../../src/cli/program.ts";
import { topicNames, topics } from "../../src/cli/topics.ts";
import { firstWord } from "../../src/cli/words.ts";
import { groups } from "../../src/commands/index.ts";
import { commandsIn, describeFlags, requestLine } from "../../src/declare/describe.ts";
import { globalFlags } from "../../src/declare/globals.ts";
import { commandTree } from "../../src/reference/tree.ts";

// The commands' own descriptions must be correct.

const nodes = await Promise.all(groups.map((entry) => entry.load()));
const all = nodes.flatMap((node) => [...commandsIn(node)].map((each) => ({ ...each, node })));
const names = new Set(all.map(({ path }) => path.join(" ")));

/** The words of a line as a shell splits them, up to a pipe or a redirection. */
function wordsUpToPipe(line: string): string[] {
  const words: string[] = [];
  for (const [token] of line.matchAll(/[|<>]|(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'|<>])+/g)) {
    if (/^[|<>]$/.test(token)) break;
    words.push(
      token.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g, (_, double?: string, single?: string, escaped?: string) =>
        double !== undefined ? double.replace(/\\(["\\$`])/g, "$1") : (single ?? escaped ?? ""),
      ),
    );
  }
  return words;
}

const widthOf = (text: string) => Math.max(...text.split("\n").map((line) => line.length));

test("help fits in 100 columns, or in the terminal", () => {
  for (const { path, command } of all) expect([path, widthOf(nodeHelp(command, path)) <= 100]).toEqual([path, true]);
  for (const [index, node] of nodes.entries()) {
    const { name } = groups[index] ?? { name: "" };
    expect([name, widthOf(nodeHelp(node, [name])) <= 100]).toEqual([name, true]);
    expect([name, widthOf(nodeHelp(node, [name], 80)) <= 80]).toEqual([name, true]);
  }
  for (const [topic, text] of Object.entries(topics)) expect([topic, widthOf(text) <= 100]).toEqual([topic, true]);
  for (const [topic, text] of Object.entries(topics)) {
    expect([topic, widthOf(layOut(topicPage(text), 80)) <= 80]).toEqual([topic, true]);
    const words = (shown: string) => shown.split(/\s+/).filter(Boolean).join(" ");
    expect(words(layOut(topicPage(text), 80))).toBe(words(text));
  }
  for (const width of [40, 60, 100]) expect(widthOf(layOut(globalsPage(), width))).toBeLessThanOrEqual(width);
  expect(widthOf(rootHelp(groups))).toBeLessThanOrEqual(100);
  expect(widthOf(rootHelp(groups, helpWidth(60)))).toBeLessThanOrEqual(60);
  expect([helpWidth(undefined), helpWidth(300), helpWidth(80), helpWidth(10)]).toEqual([100, 100, 80, 40]);
});

test("a long example continues after a backslash, and a shell reads the same line", () => {
  for (const { path, command } of all) {
    const shown = nodeHelp(command, path, 60).replaceAll(/ \\\n {4}/g, " ");
    for (const { line } of command.examples) expect(shown).toContain(`  forgectl ${line}\n`);
  }
});

test("words are split as in a shell", () => {
  expect(wordsUpToPipe(`api x -f "a b"='c|d' e\\ f 2 | jq .`)).toEqual(["api", "x", "-f", "a b=c|d", "e f", "2"]);
});

for (const { path, command, node } of all) {
  describe(path.join(" "), () => {
    test("has examples, and each is a line of this command that parses", () => {
      expect(command.examples.length).toBeGreaterThan(0);
      for (const { line } of command.examples) {
        const words = wordsUpToPipe(line);
        expect(firstWord(words), line).toBe(path[0]);
        const invocation = parse(node, words);
        expect(invocation, line).toMatchObject({ kind: "run", path });
      }
    });

    test("names related commands that exist", () => {
      for (const related of command.related ?? []) {
        expect(related === "help" || related.startsWith("help ") || names.has(related), related).toBe(true);
      }
    });

    test("its help shows every flag, argument, and request", () => {
      const text = nodeHelp(command, path);
      for (const flag of describeFlags(command.params)) {
        expect(text).toContain(flag.negatable ? `--[no-]${flag.long.slice(2)}` : flag.long);
        expect(flag.field.description, flag.long).not.toBe("");
      }
      for (const [name, field] of Object.entries(command.args)) expect(field.description, name).not.toBe("");
      // A long line continues on the next.
      const unwrapped = text.replace(/\s+/g, " ");
      for (const endpoint of command.requests) expect(unwrapped).toContain(requestLine(endpoint));
    });

    test("follows the style: the summary and descriptions have no full stop", () => {
      expect(command.summary).toMatch(/^[A-Z].*[^.]$/);
      for (const { long, field } of describeFlags(command.params)) expect(field.description, long).not.toMatch(/\.$/);
    });

    // The fields of these results are the names that were typed.
    if (path.join(" ") !== "settings set") {
      test("declares what it returns if it changes something: --fields is checked before that", () => {
        if (command.requests.some(changes)) expect(command.returns).toBeDefined();
      });
    }

    test("has no flag or short flag that is also global", () => {
      const taken = describeFlags(globalFlags).flatMap(({ long, short }) => [long, short ?? long]);
      for (const { long, short } of describeFlags(command.params)) {
        expect(taken).not.toContain(long);
        if (short !== undefined) expect(taken).not.toContain(short);
      }
    });
  });
}

test("a group is listed under its own name", async () => {
  expect(nodes.map(({ name }) => name)).toEqual(groups.map(({ name }) => name));
});

test("the root help lists every group under its heading, and every topic", () => {
  const text = rootHelp(groups);
  for (const { name, about } of groups) expect(text).toMatch(new RegExp(`^${about}:\n(?:  .*\n)*  ${name} `, "m"));
  for (const topic of topicNames) expect(text).toContain(`  forgectl help ${topic} `);
});

test("the help of globals has every flag that all commands accept", () => {
  const text = layOut(globalsPage());
  for (const { long } of describeFlags(globalFlags)) expect(text).toContain(long);
  expect(text).toContain("--help");
  expect(text).toContain("--version");
});

test("the exit codes in the topic are those of the program", () => {
  const told = [...(topics["exit-codes"] ?? "").matchAll(/^ +(\d+) {2}/gm)].map(([, code]) => Number(code));
  expect(told).toEqual(Object.values(exitCodes).sort((a, b) => a - b));
});

test("an example that asks nothing names its place by a path: a number may be that of another project", () => {
  const numbered = all.flatMap(({ command }) =>
    command.examples.filter(({ line }) => /--yes\b|(?:^| )-y\b/.test(line) && / -[pg] \d/.test(line)),
  );
  expect(numbered).toEqual([]);
});

/** Facts of the API documents that a reader of the help needs, by command. */
const facts: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  api: ["except for secrets"],
  "job-token get": [/outbound_enabled is\s+deprecated/],
  "registry list": [/Guests can read a registry that is enabled/],
  "notes list": [/the API of epics is\s+deprecated/],
  "notes update": ["GET /projects/:project/issues/:issue_iid/notes/:note_id"],
  "groups import": [/default your own\s+namespace/],
  "groups export": [/wikis\s+\(Premium,\s+Ultimate\)/],
  "hooks create": [/default\s+wildcard/],
  "users list": [/default\s+id/, /default\s+desc/],
  "events list": [/older\s+than\s+3\s+years/, /events of epics/, "DiscussionNote", "scope read_user or api"],
  "files get": [/without a\s+token/, "scope api or read_api or read_repository"],
  "ldap links add": [/Custom role of its members\s+\(Ultimate\)/],
};

test.each(Object.entries(facts))("the help of %s has what the documents say", (name, wanted) => {
  const found = all.find(({ path }) => path.join(" ") === name);
  const text = found === undefined ? "" : nodeHelp(found.command, found.path);
  for (const fact of wanted) expect(text).toMatch(fact);
});

test("a registry that is enabled is not for Reporters alone, and a custom role of a SAML link not for Ultimate alone", () => {
  const help = (name: string) =>
    all.filter(({ path }) => path.join(" ") === name).map(({ command, path }) => nodeHelp(command, path));
  expect(help("registry list").join()).not.toContain("(Reporter");
  expect(help("saml links add").join()).not.toMatch(/Custom role of its members\s+\(/);
});

test("what may delete says so, or that it depends on the input", () => {
  const entries = commandTree(nodes);
  const of = (name: string) => entries.find(({ command }) => command === name)?.deletes;
  const pruning = entries.filter(({ flags }) => flags.some(({ flag }) => flag === "--prune" || flag === "--method"));
  const applying = pruning.filter(({ changes }) => changes !== false);
  expect(applying.length).toBeGreaterThan(3);
  expect(applying.filter(({ deletes }) => deletes === false).map(({ command }) => command)).toEqual([]);
  expect(["state apply", "state rollback", "registry delete"].map(of)).toEqual([true, true, true]);
  expect(["job-token apply", "envs apply", "each", "batch", "api"].map(of)).toEqual([null, null, null, null, null]);
  expect(["settings apply", "settings rollback", "users list"].map(of)).toEqual([false, false, false]);
});
