import { expect, test } from "vitest";
import { type HelpPage, layOut } from "../../../src/base/help-page.ts";
import { helpText } from "../../../src/terminal/help-text.ts";
import { loadStyle, plainStyle } from "../../../src/terminal/style.ts";

const page: HelpPage = [
  { text: "Show a <thing>: 1 < 2 > 1." },
  { heading: "Usage", beside: "forgectl things get <id|path> [flags]" },
  "",
  { heading: "Examples" },
  { example: { line: "things get 1", before: "cat <<EOF" } },
  { rows: [["--header <key: value>", "Flags: of <name>"]] },
];

test("only headings and placeholders are painted", async () => {
  const style = await loadStyle("always", {}, { isTerminal: true });
  expect(helpText(page, 80, style).split("\n")).toEqual([
    "Show a \u001b[36m<thing>\u001b[39m: 1 < 2 > 1.",
    "\u001b[1mUsage:\u001b[22m forgectl things get \u001b[36m<id|path>\u001b[39m [flags]",
    "",
    "\u001b[1mExamples:\u001b[22m",
    "  cat <<EOF",
    "  forgectl things get 1",
    "  --header \u001b[36m<key: value>\u001b[39m  Flags: of \u001b[36m<name>\u001b[39m",
    "",
  ]);
});

test("without color it is the plain layout", () => {
  for (const width of [40, 80]) expect(helpText(page, width, plainStyle)).toBe(layOut(page, width));
});
