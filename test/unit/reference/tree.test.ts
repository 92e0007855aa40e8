import { describe, expect, test } from "vitest";
import { manPages } from "../../../src/reference/man.ts";
import { groupPage, indexPage } from "../../../src/reference/markdown.ts";
import { commandTree, globalEntries } from "../../../src/reference/tree.ts";
import { sample } from "./fixture.ts";

const tree = commandTree(sample);
const deletion = tree[0];

test("every visible command is in the tree, at any depth", () => {
  expect(tree.map(({ command }) => command)).toEqual(["things tags delete", "things show", "things set", "run"]);
});

test("a command includes its usage, arguments, flags, and requests", () => {
  expect(deletion).toMatchObject({
    usage: "forgectl things tags delete <tag...> --ref <ref> [flags]",
    arguments: [{ name: "tag", term: "<tag...>", type: "string", required: true, repeatable: true }],
    requests: [
      {
        method: "DELETE",
        path: "/projects/:project/things/:thing",
        base: "api",
        summary: "Delete a thing",
        role: "maintainer",
        tier: "premium",
        hosting: "self-managed",
        job_token: true,
      },
    ],
    changes: true,
    deletes: true,
  });
  expect(tree[1]).toMatchObject({ changes: false, deletes: false });
});

test("required flags come first, then the scope; each shows its value", () => {
  expect(deletion?.flags.map(({ flag }) => flag)).toEqual([
    "--ref",
    "--project",
    "--via",
    "--executable",
    "--active",
    "--kinds",
    "--who",
  ]);
  expect(deletion?.flags[0]).toMatchObject({ short: "-r", placeholder: "ref", required: true });
  expect(deletion?.flags[2]).toMatchObject({ type: "enum", placeholder: "bulk|tags", values: ["bulk", "tags"] });
  expect(deletion?.flags[1]).toMatchObject({ scope: "project", required: false });
  expect(deletion?.flags[3]).toMatchObject({ placeholder: null, negatable: true });
});

test("a page shows a command's arguments and flags, and no text is parsed as markup", () => {
  const page = groupPage({ name: "things", summary: "Things of a project", commands: tree.slice(0, 3) });
  expect(page).toContain("- [`things tags delete`](#things-tags-delete): Delete a thing's tags\n");
  expect(page).toContain("It's \\<gone\\> then; see \\*all\\* of \\`it\\`.\n");
  expect(page).toContain("# one of them\nforgectl things tags delete v1 --ref main\n");
  expect(page).toContain('| `-r, --ref <ref>` | Branch: it\'s "$HOME", \\`x\\`, or \\\\d | **required** |\n');
  expect(page).toContain("| `--via <bulk\\|tags>` | How |  |\n");
  expect(page).toContain("| `--[no-]executable` | Executable |  |\n");
  expect(page).toContain(
    "| `DELETE /projects/:project/things/:thing` | Maintainer | Premium, Ultimate; self-managed; job token accepted |",
  );
  expect(page).toContain("It asks before it deletes; `--yes` answers.");
  expect(page).toContain("Related: [`things show`](things.md#things-show).");
});

test("the index names every command, the global flags, and the topics", () => {
  const pages = [{ name: "things", summary: "Things", commands: tree }];
  const index = indexPage({ pages, globals: globalEntries(), topics: { "exit-codes": "Exit codes.\n\n   0  done\n" } });
  for (const { command } of tree) expect(index).toContain(`[\`${command}\`](`);
  expect(index).toContain("| `-o, --output <format>` |");
  expect(index).toContain("## Exit codes\n\nExit codes.\n\n```\n   0  done\n```\n");
});

describe("the manual", () => {
  const topics = {
    "exit-codes": "Exit codes.\n\n  0  done",
    output: "Output.\n\n.dot\n\n'quote\n\n\\t …",
    environment: "Environment.\n\n  A  what it is\n",
  };
  const pages = [
    { name: "things", about: "Projects", summary: "Things", commands: tree.slice(0, -1) },
    { name: "run", about: "Tools", summary: "Run a command", commands: tree.slice(-1) },
  ];
  const examples = [{ line: "things show on", note: "have a look" }];
  const manual = manPages({ pages, globals: globalEntries(), topics, examples, date: "2026-01-31" });

  test("has a page for the program, each group, and each command", () => {
    expect([...manual.keys()]).toEqual([
      "forgectl.1",
      "forgectl-things.1",
      "forgectl-things-tags-delete.1",
      "forgectl-things-show.1",
      "forgectl-things-set.1",
      "forgectl-run.1",
    ]);
  });

  test("starts with what most readers look for", () => {
    const sections = [...(manual.get("forgectl.1") ?? "").matchAll(/^\.SH (.*)$/gm)].map(([, title]) => title);
    expect(sections).toEqual([
      "NAME",
      "SYNOPSIS",
      "DESCRIPTION",
      "OPTIONS",
      "EXAMPLES",
      "EXIT STATUS",
      "FILES",
      "COMMANDS",
      "OUTPUT",
      "ENVIRONMENT",
    ]);
  });

  test("parses no line of text as a roff request, and no text as an escape", () => {
    expect(manual.get("forgectl.1")).toContain("\n\\&.dot\n.PP\n\\&'quote\n.PP\n\\et \\[u2026]\n");
    const page = manual.get("forgectl-things-tags-delete.1");
    expect(page).toContain(".TP\n\\fB\\-r, \\-\\-ref\\fR \\fIref\\fR\nBranch: it's");
    expect(page).toContain("`x`, or \\ed (required)\n");
  });
});
