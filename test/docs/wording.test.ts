import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { nodeHelp, rootHelp } from "../../src/cli/help.ts";
import { topics } from "../../src/cli/topics.ts";
import { groups } from "../../src/commands/index.ts";
import { commandsIn } from "../../src/declare/describe.ts";

/** What people read is plain English as operators speak it. These groups, README, and docs keep to it. */
const kept = ["auth", "profiles", "api", "sandbox", "completion", "commands"];
const worst = [
  /\bwho(?:so)?ever\b/i,
  /\b(?:some|no)body\b/i,
  /\bgo(?:es|ne)? on (?:with|from)\b/i,
  /\b(?:what|how far) (?:it|that) is there\b/i,
  /\bwhat is there\b/i,
  /\bis no (?:\w+)(?:[.,;:]|$)/im,
  /\b(?:is|are) told\b/i,
  /\btakes? \S+ out\b/i,
  /\bsays? that this moved\b/i,
];

test("help, README, and docs say things plainly", async () => {
  const texts = new Map([["forgectl --help", rootHelp(groups)], ...Object.entries(topics)]);
  for (const entry of groups.filter(({ name }) => kept.includes(name))) {
    for (const { path, command } of commandsIn(await entry.load())) texts.set(path.join(" "), nodeHelp(command, path));
  }
  const pages = [
    "README.md",
    ...["README", "architecture", "contributing", "sandbox", "scripting"].map((name) => `docs/${name}.md`),
    ...["sign-in", "find", "change", "ci", "test-scripts"].map((name) => `docs/${name}.md`),
  ];
  // What commands print is checked where it is written.
  const withoutSessions = (text: string) => text.replace(/^```console\n.*?^```$/gms, "");
  for (const page of pages) texts.set(page, withoutSessions(readFileSync(page, "utf8")));
  const found = [...texts].flatMap(([name, text]) =>
    worst.flatMap((words) => (words.test(text) ? [`${name}: ${words.exec(text)?.[0]}`] : [])),
  );
  expect(found).toEqual([]);
});
