import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { namesRead, readStateFiles, stateFilesBelow } from "../../../src/state/files/sources.ts";
import { Findings } from "../../../src/state/finding.ts";
import { contextFor } from "../../support/context.ts";
import { problemText } from "../../support/state-text.ts";

/** Reads the files of a new folder; contents are by path, and a content that begins with `->` is a link. */
async function readOf(contents: Record<string, string | Uint8Array>, sources: readonly string[]) {
  const context = contextFor("https://a.example");
  const inFolder = (path: string) => join(context.folder, path);
  for (const [path, content] of Object.entries(contents)) {
    mkdirSync(join(inFolder(path), ".."), { recursive: true });
    if (typeof content === "string" && content.startsWith("->")) symlinkSync(content.slice(2), inFolder(path));
    else writeFileSync(inFolder(path), content);
  }
  const findings = new Findings();
  const short = (text: string) => text.replaceAll(context.folder, "HERE");
  const read: string[] = [];
  const files = readStateFiles(context, sources.map(inFolder), findings);
  for await (const { name, folder, tree } of files) read.push(`${short(name)} ${short(String(folder))} ${tree.kind}`);
  return { read, problems: findings.list.map(problemText).map(short), context };
}

const text = "forgectl: 1\n";

test("a folder is every file of YAML or JSON below it, by name, without links, dot files, and schemas", async () => {
  const contents = {
    "s/b.yaml": text,
    "s/a.yml": text,
    "s/c.JSON": '{ "forgectl": 1 }',
    "s/m/d.yaml": text,
    "s/m/e.schema.json": "{}",
    "s/schema.json": '{ "forgectl": 1 }',
    "s/.hidden.yaml": text,
    "s/.git/x.yaml": text,
    "s/notes.txt": text,
    "s/yaml": text,
    "s/link.yaml": "->../other/f.yaml",
    "s/again.yaml": "->b.yaml",
    "s/linked": "->../other",
    "s/pictures": "->../empty",
    "empty/.f.yaml": text,
    "s/inside": "->m",
    "s/manual": "->../book",
    "book/v2/text.md": text,
    "book/latest": "->v2",
    "book/readme": "->v2/text.md",
    "s/chain": "->../chained",
    "chained/on": "->../other",
    "s/text": "->notes.txt",
    "s/nowhere.yaml": "->none",
    "other/f.yaml": text,
  };
  const { read, problems } = await readOf(contents, ["s"]);
  const names = ["a.yml", "b.yaml", "c.JSON", "m/d.yaml", "schema.json"];
  expect(read).toEqual(names.map((name) => `HERE/s/${name} HERE/s mapping`));
  // What it leads to counts as compared otherwise.
  const links = ["chain", "link.yaml", "linked", "nowhere.yaml"];
  const problem = "1 error : is a link in a folder, and is not read | name it with -f, too";
  expect(problems).toEqual(links.map((name) => `HERE/s/${name}:${problem}`));
});

test("a link in a folder that is named too is read", async () => {
  const contents = { "s/a.yaml": text, "s/link.yaml": "->../other/f.yaml", "other/f.yaml": text };
  for (const named of ["other/f.yaml", "other/../s/link.yaml"]) {
    expect((await readOf(contents, ["s", named])).problems).toEqual([]);
  }
  const folders = await readOf({ "s/a.yaml": text, "s/linked": "->../other", "other/f.yaml": text }, [
    "s",
    "s/linked/",
  ]);
  expect([folders.read.length, folders.problems]).toEqual([2, []]);
  const { read, problems } = await readOf(contents, ["s", "s/link.yaml"]);
  expect(read).toEqual(["HERE/s/a.yaml HERE/s mapping", "HERE/s/link.yaml HERE/s mapping"]);
  expect(problems).toEqual([]);
});

test("a folder that has only links says so", async () => {
  const contents = { "s/link.yaml": "->../other/f.yaml", "other/f.yaml": text };
  await expect(readOf(contents, ["s"])).rejects.toThrow(
    expect.objectContaining({
      details: expect.objectContaining({ hint: expect.stringContaining("links in a folder are not followed") }),
    }),
  );
});

test("files are read in the order given, each with its own folder", async () => {
  const { read } = await readOf({ "a/x.txt": text, "b/y.yaml": text }, ["b/y.yaml", "a/x.txt"]);
  expect(read).toEqual(["HERE/b/y.yaml HERE/b mapping", "HERE/a/x.txt HERE/a mapping"]);
});

describe("a file that is not read is a finding, and the others are read", () => {
  test.each<[string, string | Uint8Array, string]>([
    ["not YAML", "a: [", "1 error : is not YAML: "],
    ["two documents", "a: 1\n---\nb: 2\n", "2 error : has 2 documents; one is allowed | write each to its own file"],
    ["not UTF-8", new Uint8Array([0x61, 0xff]), "1 error : is not UTF-8 text"],
    ["a zero byte", "a: \0", "1 error : is not UTF-8 text"],
    ["empty", "", "1 error : is empty | leave the file out, or write a section"],
  ])("%s", async (_, content, problem) => {
    const { read, problems } = await readOf({ "s/a.yaml": content, "s/b.yaml": text }, ["s"]);
    expect(read).toEqual(["HERE/s/b.yaml HERE/s mapping"]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`HERE/s/a.yaml:${problem}`);
  });

  test("larger than 64 MiB", async () => {
    const large = new Uint8Array(64 * 1024 * 1024 + 1);
    const problem = "HERE/a.yaml:1 error : is larger than 64 MiB | split it into several files";
    expect((await readOf({ "a.yaml": large }, ["a.yaml"])).problems).toEqual([problem]);
  });
});

describe("what is refused", () => {
  test("a source that is given twice", async () => {
    await expect(readOf({ "a.yaml": text, "b.yaml": text }, ["a.yaml", "b.yaml", "a.yaml"])).rejects.toThrow(
      /^-f .*a\.yaml is given twice$/,
    );
  });

  test("a folder without a state file", async () => {
    await expect(readOf({ "s/a.txt": text }, ["s"])).rejects.toThrow(/contains no \.yaml, \.yml, or \.json file$/);
  });
});

test("a folder that does not exist has no files", async () => {
  const { context } = await readOf({}, []);
  expect(await stateFilesBelow(context, join(context.folder, "nowhere"))).toEqual([]);
});

test("what is read of a folder is named in its place, once; other names are as given", async () => {
  const { context } = await readOf({ "s/b/c.yml": text, "s/a.yaml": text, "s/x.md": text, t: text }, []);
  expect(await namesRead(context, ["t", "s", "-", "s", "nowhere"])).toEqual([
    "t",
    "s/a.yaml",
    "s/b/c.yml",
    "-",
    "nowhere",
  ]);
});

test("a folder that is named and holds no state file is refused, also one below another that is named", async () => {
  const contents = { "s/a.yaml": text, "s/prod": "->../prod", "prod/.keep.yaml": text };
  await expect(readOf(contents, ["s", "s/prod"])).rejects.toThrow(/s.prod contains no \.yaml/);
});
