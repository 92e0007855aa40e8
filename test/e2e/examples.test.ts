import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { firstExamples } from "../../src/cli/topics.ts";
import { groups } from "../../src/commands/index.ts";
import type { Example } from "../../src/declare/command.ts";
import { commandsIn } from "../../src/declare/describe.ts";
import { sampled } from "../support/examples.ts";
import {
  asTyped,
  editor,
  finds,
  inPlace,
  isLasting,
  preparations,
  started,
  type,
  typeIntoShell,
} from "../support/typed-line.ts";

// Every example of the help, and every block of commands in README and docs, is run as written, each against an
// unchanged sandbox, and in its own folder. A shell runs the line; a plain one it only splits into words, and the
// command runs as in other sessions. By default the first example of every other command, each twelfth of the others,
// and every fourth block, chosen by FORGECTL_TEST_SEED; with FORGECTL_TEST_EXAMPLES=all, all.

const nodes = await Promise.all(groups.map((entry) => entry.load()));
const ofCommands = nodes.flatMap((each) => [...commandsIn(each)]).map(({ command }) => command.examples);
const examples: readonly Example[] = [
  ...sampled(
    ofCommands.flatMap(([first]) => first ?? []),
    2,
  ),
  ...sampled(
    ofCommands.flatMap(([, ...others]) => others),
    12,
  ),
  ...firstExamples,
];
const lines = examples.map(({ line, before }) => ({ line, before }));

describe("the examples of the help work as typed", () => {
  for (const { line, before } of lines) {
    // The export of a large project takes the sandbox some 20 seconds.
    test.concurrent(line, { timeout: 90_000 }, async () => {
      const hosting = / identities |^scim/.test(line) ? "hosted" : "self-managed";
      await inPlace({ hosting }, async (place) => {
        const typed = asTyped(line, place);
        const { code, stderr } = await type([...preparations({ line, before }), typed], place);
        if (editor.test(line))
          expect(stderr).toMatch(
            /^error: (?:missing --body <text> or --body-file <file\|->|settings edit needs a terminal)$/m,
          );
        else if (isLasting(line)) expect(stderr).toMatch(started);
        else expect([code, stderr.includes("error:")], stderr).toEqual([finds.test(line) ? 10 : 0, false]);
      });
    });
  }
});

const pages = [
  "README.md",
  ...readdirSync("docs")
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const blocks = pages.flatMap((page) =>
  [...readFileSync(page, "utf8").matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = ""], index) => ({
    name: `${page}, block ${index + 1}`,
    lines: text.split("\n"),
  })),
);

describe("the blocks of README and docs work as typed", () => {
  for (const { name, lines: all } of sampled(blocks, 4)) {
    test.concurrent(name, async () => {
      // npm is tested in install.test.ts, packages in test/package.
      const mine = all.filter((line) => !/^(?:npm|sha256sum|skopeo) /.test(line));
      const hosting = mine.some((line) => / identities /.test(line)) ? "hosted" : "self-managed";
      await inPlace({ hosting }, async (place) => {
        const here = (line: string) =>
          line.startsWith("forgectl ")
            ? asTyped(line.slice("forgectl ".length).replace(/ +# .*/, ""), place)
            : line.replace("https://forge.example.com", place.url).replace("=...", `=${place.env.FORGECTL_TOKEN}`);
        const lasting = mine.filter(isLasting);
        for (const line of lasting) expect((await typeIntoShell(here(line), place)).stderr).toMatch(started);
        const script = ["set -e", ...mine.filter((line) => !isLasting(line)).map(here)].join("\n");
        const { code, stderr } = await typeIntoShell(script, {
          ...place,
          env: { ...place.env, name: "dana.dixon", CI_PROJECT_ID: "7" },
        });
        expect([code, stderr.includes("error:")], `${script}\n${stderr}`).toEqual([0, false]);
      });
    });
  }
});

test("all examples are included", () => {
  expect(lines.length).toBeGreaterThanOrEqual(ofCommands.length / 2);
  expect(blocks.length).toBeGreaterThan(7);
});
