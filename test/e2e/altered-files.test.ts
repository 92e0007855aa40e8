import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Chain } from "../../src/state/runs/chain.ts";
import { attack } from "../support/attack.ts";
import { chanceOf } from "../support/chance.ts";
import { recordingProxy } from "../support/recording-proxy.ts";
import { sandboxSession } from "../support/session.ts";

// Saved plans and records come from anywhere. Each value of one is replaced by one of another kind, with a digest that
// fits: it is refused or carried out, and no bug of the program (exit 70). By default some values, chosen by
// FORGECTL_TEST_SEED; with FORGECTL_TEST_FIELDS=all each.

const all = process.env.FORGECTL_TEST_FIELDS === "all";
const seed = Number(process.env.FORGECTL_TEST_SEED ?? 1);
const plain = [null, 0, -1.5, "", "x", true, [], {}];
const others: unknown[] = [...plain, [null], ["x"], [[]], [{}], { toString: 1 }, { x: { y: null } }];

const state = `forgectl: 1
settings: { terminal_max_session_time: 77, domain_allowlist: [acme.example], signup_enabled: true }
groups:
  acme:
    saml_group_links: [{ name: Engineering, access_level: owner }, { name: Guests, access_level: guest }]
    hooks:
      - { url: "https://a.acme.example/in", name: New, events: [push], custom_headers: [{ key: X-A, value: { env: A_TOKEN } }] }
      - { url: "https://chat.acme.example/hooks/{channel}", name: Chat, description: other, events: [push] }
projects:
  acme/storefront:
    job_token_scope: { inbound_enabled: true }
    protected_branches: [{ name: main, push_access_levels: [{ access_level: no_one }] }]
    protected_environments:
      - { name: production, deploy_access_levels: [{ access_level: maintainer }, { username: dana.dixon }] }
      - { name: canary, deploy_access_levels: [{ group_id: 8 }], approval_rules: [{ access_level: maintainer }] }
    error_tracking: { active: false, integrated: false }
`;

const own = await sandboxSession();
const proxy = await recordingProxy();
proxy.target = own.sandbox.url;
const at = (name: string) => join(own.home, name);
const run = (line: string) => own.run(...line.split(" "), { env: { FORGECTL_BASE_URL: proxy.url, A_TOKEN: "value" } });

writeFileSync(at("state.yaml"), state);
proxy.open = true;
const prepared = [
  await run("state plan -f state.yaml --prune --save plan.json"),
  await run("registry prune -p 7 --delete-regex nightly-.* --save prune.json"),
  await run("state apply -f state.yaml --record run.ndjson --yes"),
];
proxy.open = false;

/** Places in a value, as keys. */
function placesIn(value: unknown, above: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [above];
  const below = Object.entries(value).flatMap(([key, each]) => placesIn(each, [...above, key]));
  return above.length === 0 ? below : [above, ...below];
}

function replaced<T>(value: T, path: readonly string[], other: unknown): T {
  const copy = structuredClone(value);
  const holder = path.slice(0, -1).reduce<unknown>((held, name) => (held as Record<string, unknown>)[name], copy);
  (holder as Record<string, unknown>)[path.at(-1) as string] = other;
  return copy;
}

/** The lines of a record without their digests. */
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const { sum: _, ...value } = JSON.parse(line) as Record<string, unknown>;
      return value;
    });

function recordOf(lines: readonly object[]): string {
  const chain = new Chain();
  return lines.map((line) => chain.line(line)).join("");
}

const files = [
  {
    file: "plan.json",
    parse: JSON.parse,
    write: JSON.stringify,
    lines: ["state apply --plan altered --yes", "state show altered", "state show altered -o json"],
  },
  { file: "prune.json", parse: JSON.parse, write: JSON.stringify, lines: ["registry prune --plan altered --yes"] },
  {
    file: "run.ndjson",
    parse: linesOf,
    write: recordOf,
    lines: ["state rollback altered --yes", "state rollback altered --dry-run -o json", "state show altered"],
  },
];
const attacked = attack(files.length);

test.each(files)("$file with another value in a place", { timeout: 900_000 }, async ({ file, parse, write, lines }) => {
  expect(prepared.map(({ code, stderr }) => [code, code === 0 ? "" : stderr])).toEqual(prepared.map(() => [0, ""]));
  const value: object = parse(readFileSync(at(file), "utf8"));
  const random = chanceOf(seed);
  const cells = placesIn(value).flatMap((place) => others.map((other) => [place, other] as const));
  const chosen = all ? cells : cells.filter(() => random() < 8 / cells.length);
  for (const [place, other] of attacked.cells(chosen)) {
    writeFileSync(at("altered"), write(replaced(value, place, other) as never));
    for (const line of lines) {
      const { code, stderr } = await run(line);
      const what = `${line}: ${place.join(".")} is ${JSON.stringify(other)}`;
      expect([what, code, stderr]).not.toEqual([what, 70, expect.anything()]);
    }
  }
});
