import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// A name from outside may be `constructor`: a table that is read by it directly has an entry of that name, which is a
// function of the language. `ownValue` reads only what the table has itself.

const root = join(import.meta.dirname, "../../src");
const texts = new Map(
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => [file, readFileSync(join(root, file), "utf8")] as const),
);

/** Names of constants that are read by any text: tables whose type says so, and those made of entries. */
const anyName = String.raw`[^=\n]*\bRecord<string,[^\n]*|: (?:Fields|Rule|Shape|StateFields|Values)`;
const tables = new RegExp(String.raw`^(?:export )?const (\w+)(?:(?:${anyName}) =| = Object\.fromEntries\()`, "gm");

/** What a file imports of others. */
function importsOf(text: string): string[] {
  return [...text.matchAll(/^import \{([^}]*)\} from/gm)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.trim().split(" ").at(-1) ?? ""),
  );
}

/** The names there are the program's own. */
const own = [
  "api/endpoints/who.ts: deployLevels[each]",
  "api/object-in-path.ts: shownBy[place]",
  "commands/audit/row.ts: rank[a.severity]",
  "commands/audit/row.ts: rank[b.severity]",
  "commands/doctor/api/endpoints.ts: elsewhere[name]",
  "commands/doctor/api/endpoints.ts: fields[name]",
  "completion/lookups.ts: ofInstance[kind.slice(0, -1) as Listed]",
  "declare/describe.ts: bases[base]",
  "declare/describe.ts: timeForms[field.kind]",
  "sandbox/areas/relations/schedule.ts: relations[CONTRIBUTIONS]",
  "terminal/render/delimited-text.ts: tsvEscapes[character]",
  "terminal/render/record.ts: .shape[name]",
];

test("tables are read by names from outside with ownValue", () => {
  const constants = new Map(
    [...texts].map(([file, text]) => [file, [...text.matchAll(tables)].map(([, name]) => name)]),
  );
  const exported = new Set([...constants.values()].flat());
  expect(exported.size).toBeGreaterThan(30);
  const found = [...texts].flatMap(([file, text]) => {
    const names = new Set([...(constants.get(file) ?? []), ...importsOf(text).filter((name) => exported.has(name))]);
    const code = text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, "");
    const reads = [...names].flatMap((name) => [
      ...code.matchAll(new RegExp(String.raw`(?<![\w.$])${name}(?:\?\.)?\[(?!["'\d\]])[^\]\n]+\]`, "g")),
      ...code.matchAll(new RegExp(String.raw`(?<![\w.$])\w+ in ${name}\b(?![\w.(])`, "g")),
    ]);
    // Fields that are declared are tables too.
    const declared = code.matchAll(/\.(?:fields|item|shape)(?:\?\.)?\[(?!["'\d\]])[^\]\n]+\]/g);
    return [...reads, ...declared].map(([read]) => `${file}: ${read}`);
  });
  expect([...new Set(found)].toSorted()).toEqual(own);
});
