import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Chain } from "../../src/state/runs/chain.ts";
import { json, signedIn } from "../support/answering.ts";
import { sandboxSession } from "../support/session.ts";

// Plans, records, and manifests travel, and a receiver's answer is anybody's text: JSON that no function of the
// program can walk, or make a text of, is an error of that file, and no bug.

const deep = (levels = 20_000) => "[".repeat(levels) + "]".repeat(levels);
const nameless = { toString: 1, valueOf: 1 };

type Path = readonly (string | number)[];

/** The JSON of a value with another one at a place in it; `deep` is nested lists. */
function odd(value: object, path: Path, other: unknown): string {
  const copy = structuredClone(value);
  const last = path.at(-1) as string;
  const holder = path.slice(0, -1).reduce<unknown>((held, name) => (held as Record<string, unknown>)[name], copy);
  (holder as Record<string, unknown>)[last] = other === "deep" ? "@deep@" : other;
  return JSON.stringify(copy).replace('"@deep@"', () => deep());
}

test("saved plans, records, and manifests", async () => {
  const own = await sandboxSession();
  const at = (name: string) => join(own.home, name);
  const run = (line: string) => own.run(...line.split(" "));
  const read = (name: string) => JSON.parse(readFileSync(at(name), "utf8"));
  const codes = async (line: string, name: string, texts: readonly string[]) => {
    const found: unknown[] = [];
    for (const text of texts) {
      writeFileSync(at(name), text);
      const { code, stderr } = await run(line);
      found.push(code === 2 ? code : [code, stderr, text.slice(0, 200)]);
    }
    expect(found).toEqual(texts.map(() => 2));
  };

  const links = "groups: { acme: { saml_group_links: [{ name: Engineering, access_level: owner }] } }";
  writeFileSync(at("state.yaml"), `forgectl: 1\n${links}\n`);
  expect((await run("state plan -f state.yaml --save plan.json")).code).toBe(0);
  const plan = read("plan.json");
  const row: Path = ["changes", 0];
  const places: Path[] = [
    ["forgectl_plan"],
    ["instance"],
    [...row, "kind"],
    [...row, "action"],
    [...row, "key"],
    [...row, "id"],
    [...row, "reason"],
    [...row, "fields", 0, "to"],
    [...row, "from", "name"],
    [...row, "declared", "values", "name"],
  ];
  const plans = places.flatMap((path) => [odd(plan, path, nameless), odd(plan, path, "deep")]);
  const unread = { ...plan, changes: [{ ...plan.changes[0], action: "unreadable", reason: nameless }] };
  await codes("state apply --plan plan.json --yes", "plan.json", [...plans, JSON.stringify(unread)]);

  expect((await run("registry prune -p 7 --delete-regex nightly-.* --save prune.json")).code).toBe(0);
  const prune = read("prune.json");
  const heads = ["instance", "at"].flatMap((name) => [odd(prune, [name], nameless), odd(prune, [name], "deep")]);
  await codes("registry prune --plan prune.json --yes", "prune.json", heads);

  expect((await run("state apply -f state.yaml --record run.ndjson --yes")).code).toBe(0);
  const lines = readFileSync(at("run.ndjson"), "utf8").trimEnd().split("\n");
  const values = lines.map((line) => {
    const { sum: _, ...value } = JSON.parse(line) as Record<string, unknown>;
    return value;
  });
  const record = (path: Path, other: unknown) => {
    const chain = new Chain();
    const altered = (JSON.parse(odd({ values }, ["values", ...path], other)) as { values: object[] }).values;
    return altered.map((value) => chain.line(value)).join("");
  };
  const entry = values.findIndex(({ end }) => end !== undefined);
  await codes("state rollback run.ndjson --yes", "run.ndjson", [
    ...["instance", "what", "started", "only"].map((name) => record([0, name], nameless)),
    record([entry, "end", "key"], nameless),
  ]);
});

test("a receiver's answer", async () => {
  const answer = { response_status: "500", response_headers: {}, response_body: deep() };
  const event = { id: 1, url: "https://a.example", trigger: "push_hooks", request_data: {}, ...answer };
  const { run } = await signedIn(json(200, JSON.stringify([event])));
  for (const format of ["table", "json", "yaml", "csv"]) {
    const { code, stderr } = await run("hooks", "events", "2", "--event", "1", "-g", "acme", "-o", format);
    expect([format, code, stderr]).toEqual([format, 0, ""]);
  }
});

test("rules of a saved plan, and settings, whose values cannot be read as text", async () => {
  const own = await sandboxSession();
  const at = (name: string) => join(own.home, name);
  const levels = "push_access_levels: [{ access_level: no_one }]";
  writeFileSync(
    at("state.yaml"),
    `forgectl: 1\nprojects: { acme/storefront: { protected_branches: [{ name: main, ${levels} }] } }\n`,
  );
  expect((await own.run("state", "plan", "-f", "state.yaml", "--save", "plan.json")).code).toBe(0);
  const plan = JSON.parse(readFileSync(at("plan.json"), "utf8"));
  for (const side of [["from"], ["declared", "values"]]) {
    writeFileSync(at("plan.json"), odd(plan, ["changes", 0, ...side, "push_access_levels", 0, "user_id"], nameless));
    const { code, stderr } = await own.run("state", "apply", "--plan", "plan.json", "--yes");
    expect([side, code, stderr]).toEqual([side, 2, expect.stringContaining("is not what its declaration gives")]);
  }

  const list = [nameless, [nameless]];
  const settings = JSON.stringify({ id: 1, username: nameless, domain_allowlist: list, signup_enabled: true });
  const { run } = await signedIn(json(200, settings));
  const lines: [line: string, code: number][] = [
    ["state export --settings -O -", 0],
    ["settings set domain_allowlist=a.example --yes", 9],
    ["doctor", 0],
  ];
  for (const [line, wanted] of lines) {
    const { code, stderr } = await run(...line.split(" "));
    expect([line, code, stderr]).toEqual([line, wanted, expect.not.stringContaining("bug")]);
  }
});
