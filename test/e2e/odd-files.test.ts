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

test("lists in a record with items that are none of the program's", async () => {
  const { home, run } = await sandboxSession();
  const record = async (address: string, name: string, item: unknown) => {
    const lines = readFileSync(join(home, "run.ndjson"), "utf8").trimEnd().split("\n");
    const chain = new Chain();
    const altered = lines.map((line) => {
      const { sum: _, ...value } = JSON.parse(line) as Record<string, { address?: string; before?: object }>;
      const entry = [value.planned, value.begin, value.end].find((each) => each?.address === address);
      if (entry !== undefined) entry.before = { ...entry.before, [name]: [item] };
      return chain.line(value);
    });
    writeFileSync(join(home, "altered.ndjson"), altered.join(""));
    return run("state", "rollback", "altered.ndjson", "--dry-run");
  };
  const branch = "protected_branches: [{ name: main, allow_force_push: true }]";
  const hook =
    'hooks: [{ url: "https://chat.acme.example/hooks/{channel}", name: Chat, description: other, events: [push] }]';
  const text = `forgectl: 1\nprojects: { acme/storefront: { ${branch} } }\ngroups: { acme: { ${hook} } }\n`;
  writeFileSync(join(home, "state.yaml"), text);
  expect(await run("state", "apply", "-f", "state.yaml", "--record", "run.ndjson", "--yes")).toMatchObject({ code: 0 });
  for (const item of [null, ".."]) {
    const { code, stderr } = await record("acme/storefront#protected_branches/main", "push_access_levels", item);
    expect([item, code, stderr]).toEqual([item, 2, expect.stringContaining("this version cannot read line")]);
  }
  const shown = await record("acme#hooks/Chat", "events", nameless);
  const unknown = "neither the API documents nor the instance have";
  expect([shown.code, shown.stderr]).toEqual([9, expect.stringContaining(unknown)]);
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
  const rule = ["push_access_levels", 0];
  for (const side of [["from"], ["declared", "values"]]) {
    for (const [path, value, problem] of [
      [[...rule, "user_id"], nameless, "is not what its declaration gives"],
      [rule, "..", "row 1 has an item that is no object"],
      [rule, null, "row 1 has an item that is no object"],
    ] as const) {
      writeFileSync(at("plan.json"), odd(plan, ["changes", 0, ...side, ...path], value));
      const { code, stderr } = await own.run("state", "apply", "--plan", "plan.json", "--yes");
      expect([side, value, code, stderr]).toEqual([side, value, 2, expect.stringContaining(problem)]);
    }
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
