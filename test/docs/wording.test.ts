import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeHelp, rootHelp } from "../../src/cli/help.ts";
import { topics } from "../../src/cli/topics.ts";
import { groups } from "../../src/commands/index.ts";
import { commandsIn } from "../../src/declare/describe.ts";

/** Idioms that have a plain equivalent: resume, status, exists, prints, the user. */
const worst = [
  /\bwho(?:so)?ever\b/i,
  /\b(?:some|no)body\b/i,
  /\b(?:what|how far) (?:it|that) is there\b/i,
  /\bwhat is there\b/i,
  /(?<!\bthere )is no (?!archive|chunk|longer|more|other|value)\w+(?:[.,;:]|$)/im,
  /\b(?:is|are) told\b/i,
  /\btakes? \S+ out\b/i,
  /\bsays? that this moved\b/i,
  /\block(?:s|ed)? people out\b/i,
  /\bfor ever\b/i,
  /\bwithout a word\b/i,
  /\bbr(?:oke|eaks) off\b/i,
  /\bbeyond the (?:API )?documents\b/i,
  /\bunless (?:it is )?(?:said|told)\b/i,
  /\bout of time\b/i,
  /\bin trouble\b/i,
  /\boff a terminal\b/i,
  /\bheld (?:against|to)\b/i,
  /\bsteers?\b/i,
  /\btold (?:apart|from)\b/i,
  /\btells? of\b/i,
  /\ba (?:line|minute|page|row|second) an? \w+/i,
  /\b(?:anew|as ever|in vain|lest|under way)\b/i,
  /\b(?:all the same|at hand|does the rest|no matter|side by side)\b/i,
  /\b(?:so (?:long|many)|how far)\b/i,
  /\b(?:beyond|outside) ASCII\b/i,
  /\bwhat (?:became|came) of\b/i,
  /\bthat (?:is|are|was|were) (?:not )?there\b/i,
  /\bstands? (?:at|behind|between|for|in|on)\b/i,
  /\b(?:came|comes?) (?:about|of|out|to)\b/i,
  /\bgives? (?:away|back|out)\b/i,
  /\b(?:get|got|gets) lost\b/i,
  /\bgo(?:es|ne)? on\b/i,
  /\bhand(?:ed|s) (?:back|down|on|out|over)\b/i,
  /\bputs? (?:aside|back|right)\b/i,
  /\btells? \S+ apart\b/i,
  /\bof the test's own\b/i,
  /\bin force\b/i,
  /\bas (?:it|they) should be\b/i,
  /\balso if\b/i,
  /\bby a new one\b/i,
  /\bto wait at most\b/i,
  /(?<!only )\(administrators\b/i,
];

/** It contains all the idioms. */
const self = join("test", "docs", "wording.test.ts");

/** Demo data of the sandbox is fiction. */
const outside = [
  join("src", "sandbox", "areas", "groups", "seed.ts"),
  join("src", "sandbox", "areas", "notes", "talk.ts"),
];

function findIn(texts: Iterable<readonly [name: string, text: string]>): string[] {
  return [...texts].flatMap(([name, text]) =>
    worst.flatMap((words) => (words.test(text) ? [`${name}: ${words.exec(text)?.[0]}`] : [])),
  );
}

test("the help of every command uses plain words", async () => {
  const texts = new Map([["forgectl --help", rootHelp(groups)], ...Object.entries(topics)]);
  for (const entry of groups) {
    for (const { path, command } of commandsIn(await entry.load())) texts.set(path.join(" "), nodeHelp(command, path));
  }
  expect(findIn(texts)).toEqual([]);
});

test("README, changelog, and docs use plain words", () => {
  const pages = ["README.md", "CHANGELOG.md", ...filesBelow("docs", ".md")];
  // What commands print is checked where it is written.
  const withoutSessions = (text: string) => text.replace(/^```console\n.*?^```$/gms, "");
  expect(findIn(pages.map((page) => [page, withoutSessions(readFileSync(page, "utf8"))]))).toEqual([]);
});

test("comments and texts of the source use plain words", () => {
  const files = ["src", "scripts"].flatMap((folder) => [...filesBelow(folder, ".ts"), ...filesBelow(folder, ".mjs")]);
  const read = files.filter((file) => !outside.some((path) => file.startsWith(path)));
  expect(findIn(read.map((file) => [file, proseOf(readFileSync(file, "utf8"))]))).toEqual([]);
});

test("comments and descriptions of the CI templates use plain words", () => {
  const files = [join(".ci", "run"), ...filesBelow("templates", ".yml")];
  expect(findIn(files.map((file) => [file, readFileSync(file, "utf8")]))).toEqual([]);
});

test("titles, comments, and texts of the tests use plain words", () => {
  const files = [".ts", ".mts"].flatMap((end) => filesBelow("test", end)).filter((file) => file !== self);
  expect(findIn(files.map((file) => [file, proseOf(readFileSync(file, "utf8"))]))).toEqual([]);
});

/** Comments, and quoted texts of several words, a line each. */
function proseOf(source: string): string {
  const lines = source.split("\n").flatMap((line) => {
    if (/^\s*(?:\/?\*|\/\/)/.test(line)) return [line];
    return [...line.matchAll(/"[^"]* [^"]*"|`[^`]* [^`]*`|\/\/ .*$/g)].map(([text]) => text);
  });
  return lines.join("\n");
}

function filesBelow(folder: string, end: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(end))
    .map((name) => join(folder, name));
}
