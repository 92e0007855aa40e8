import { loadAll } from "js-yaml";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { toYaml } from "../../../src/terminal/yaml.ts";
import { seeded } from "../../support/random-state.ts";

// What is written as YAML is read by other programs: two parsers of it read the same texts, as a document, an item, a
// field, and a name. More: FORGECTL_FUZZ; others: FORGECTL_FUZZ_SEED.

const parts = [
  ..." \n\t:#-?,[]{}&*!|>'\"%@`~=<.0189eExXoO_+yYnN\r\\\u0085\u2028\ufeff\u00a0é\u{1f600}",
  ...[
    "  ",
    "\n\n",
    ": ",
    " #",
    "- ",
    "---",
    "...",
    "null",
    "true",
    "no",
    "inf",
    "nan",
    "2024-01-01",
    "1e3",
    "4e1234567",
  ],
];
const fixed = [
  "1e999",
  "-1e999",
  ".5e999",
  "1.5e+999",
  "4e123456",
  "  a\n b\n",
  "    code\n    more\n",
  "\n a",
  " \n",
  "",
];

function texts(): string[] {
  const random = seeded(Number(process.env.FORGECTL_FUZZ_SEED ?? 7));
  const text = () =>
    Array.from({ length: 1 + random() * 7 }, () => parts[Math.floor(random() * parts.length)]).join("");
  return [...fixed, ...Array.from({ length: Number(process.env.FORGECTL_FUZZ ?? 1500) }, text)];
}

const readers = {
  "js-yaml": (text: string) => loadAll(text),
  yaml: (text: string) => {
    const documents = parseAllDocuments(text, { uniqueKeys: false });
    return Array.from(documents as Iterable<{ errors: unknown[]; toJS(): unknown }>, (each) => {
      expect(each.errors).toEqual([]);
      return each.toJS();
    });
  },
};

test.each(Object.entries(readers))("%s reads parts that stand below each other as one list", async (_, read) => {
  const all = texts().map((text) => ({ id: 1, text }));
  const parts = await Promise.all(all.map((each) => toYaml([each])));
  expect(read(parts.join(""))).toEqual([all]);
});

test.each(Object.entries(readers))("%s reads what is written", async (_, read) => {
  for (const text of texts()) {
    for (const value of [text, [text], { [`k${text}`]: text, more: [[text], { text }] }]) {
      const written = await toYaml(value);
      expect([JSON.stringify(text), written, read(written)]).toEqual([JSON.stringify(text), written, [value]]);
    }
  }
});
