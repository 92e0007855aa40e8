import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chanceOf } from "../support/chance.ts";
import { session } from "../support/session.ts";

// Random files over random fleets against a plain and slow reading of the rules, which shares no code with the program:
// a pattern is a regular expression, and one is narrower than another if it matches fewer of all paths there are here.

const words = ["a", "b", "c", "aa", "ab", "ba", "bb", "acb", "bca", "cac", "abab"];
const universe = words.flatMap((x) => [
  `r/${x}`,
  ...words.flatMap((y) => [
    `r/${x}/${y}`,
    ...words.flatMap((z) => [`r/${x}/${y}/${z}`, ...words.slice(0, 4).map((w) => `r/${x}/${y}/${z}/${w}`)]),
  ]),
]);

interface Environment {
  name: string;
  level?: number;
  absent?: true;
}
interface Block {
  scope: string;
  line: number;
  except: string[];
  reg?: string;
  tracking?: { active?: boolean; integrated?: boolean } | "unmanaged";
  envs?: { inherit: boolean; list: Environment[] } | "unmanaged";
}

function expression(pattern: string): RegExp {
  const segments = pattern.split("/");
  const text = segments
    .map((segment, index) => {
      const isLast = index === segments.length - 1;
      if (segment === "**") return isLast ? "[^/]+(?:/[^/]+)*" : "(?:[^/]+/)*";
      return (segment === "*" ? "[^/]+" : segment.replaceAll("*", "[^/]*")) + (isLast ? "" : "/");
    })
    .join("");
  return new RegExp(`^${text}$`, "i");
}

const known = new Map<string, Set<string>>();
function matched(pattern: string): Set<string> {
  const fits = expression(pattern);
  const found = known.get(pattern) ?? new Set(universe.filter((path) => fits.test(path)));
  known.set(pattern, found);
  return found;
}

const literal = (pattern: string) => pattern.slice(0, pattern.indexOf("*")).length;
const isSubset = (one: Set<string>, other: Set<string>) => [...one].every((path) => other.has(path));

const ordered = new Map<string, number>();

/** Negative if the first pattern comes first; 0 for equal right. */
function order(one: string, other: string): number {
  const key = `${one} ${other}`;
  const found = ordered.get(key) ?? orderOf(one, other);
  ordered.set(key, found);
  return found;
}

function orderOf(one: string, other: string): number {
  if (literal(one) !== literal(other)) return literal(other) - literal(one);
  const [a, b] = [one.includes("**"), other.includes("**")];
  if (a !== b) return a ? 1 : -1;
  const [in1, in2] = [isSubset(matched(one), matched(other)), isSubset(matched(other), matched(one))];
  return in1 === in2 ? 0 : in1 ? -1 : 1;
}

const fieldsOf = ({ reg, tracking, envs }: Block): string[] => [
  ...(reg === undefined ? [] : ["reg"]),
  ...(tracking === undefined ? [] : tracking === "unmanaged" ? ["active", "integrated"] : Object.keys(tracking)),
  ...(envs === undefined ? [] : ["envs"]),
];
const isWide = ({ scope }: Block) => scope.includes("*");

/** `unmanaged` is all of a section, and so shares it with any that declares some of it. */
function share(one: Block, other: Block): boolean {
  const both = one.tracking !== undefined && other.tracking !== undefined;
  const isWhole = both && (one.tracking === "unmanaged" || other.tracking === "unmanaged");
  return isWhole || fieldsOf(one).some((field) => fieldsOf(other).includes(field));
}

function isAmbiguous(blocks: readonly Block[]): boolean {
  const wide = blocks.filter(isWide);
  return wide.some((one, index) =>
    wide.slice(index + 1).some((other) => {
      if (order(one.scope, other.scope) !== 0 || !share(one, other)) return false;
      const ends = (from: Block, whole: Block) =>
        from.except.some((each) => isSubset(matched(whole.scope), new Set([...matched(each), each])));
      if (ends(one, other) || ends(other, one)) return false;
      return [...matched(one.scope)].some((path) => matched(other.scope).has(path));
    }),
  );
}

function applying(blocks: readonly Block[], path: string): Block[] {
  const exact = blocks.filter((each) => !isWide(each) && each.scope === path);
  const wide = blocks.filter(
    (each) =>
      isWide(each) && expression(each.scope).test(path) && !each.except.some((out) => expression(out).test(path)),
  );
  return [...exact, ...wide];
}

function first(blocks: readonly Block[]): Block[] {
  const before = (one: Block, other: Block) => !isWide(one) || (isWide(other) && order(one.scope, other.scope) < 0);
  const left = [...blocks];
  const sorted: Block[] = [];
  while (left.length > 0) {
    const index = left.findIndex((each) => left.every((other) => other === each || before(each, other)));
    sorted.push(...left.splice(index, 1));
  }
  return sorted;
}

function effective(blocks: readonly Block[], path: string): string[] {
  const all = applying(blocks, path);
  const found: string[] = [];
  const [reg] = first(all.filter((each) => each.reg !== undefined));
  if (reg !== undefined) found.push(`container_registry_access_level ${reg.reg} ${reg.line}`);
  for (const name of ["active", "integrated"] as const) {
    const [owner] = first(all.filter(({ tracking }) => tracking === "unmanaged" || tracking?.[name] !== undefined));
    if (owner !== undefined && owner.tracking !== "unmanaged") {
      found.push(`error_tracking.${name} ${owner.tracking?.[name]} ${owner.line}`);
    }
  }
  const list = listOf(first(all.filter(({ envs }) => envs !== undefined)));
  if (list?.length === 0) found.push("protected_environments none");
  for (const { name, level, line } of list ?? []) found.push(`protected_environments/${name} ${level} ${line}`);
  return found.sort();
}

/** Whether a scope that the file names gets a part of a record without the field that it requires. */
function isIncomplete(blocks: readonly Block[]): boolean {
  const exact = blocks.filter((each) => !isWide(each)).map(({ scope }) => effective(blocks, scope));
  const has = (found: readonly string[], name: string) =>
    found.some((row) => row.startsWith(`error_tracking.${name} `));
  return exact.some((found) => has(found, "integrated") && !has(found, "active"));
}

function listOf([top, ...rest]: readonly Block[]): { name: string; level: number; line: number }[] | undefined {
  if (top?.envs === undefined || top.envs === "unmanaged") return undefined;
  let list = top.envs.inherit ? (listOf(rest) ?? []) : [];
  for (const { name, level = 0, absent } of top.envs.list) {
    list = list.filter((each) => each.name !== name);
    if (!absent) list.push({ name, level, line: top.line });
  }
  return list;
}

type Pick = (items: readonly string[]) => string;

function randomPattern(pick: Pick): string {
  const glob = ["*", "a*", "*b", "*a*", "a*b", "b*", "a", "b"];
  const shapes: (() => string)[] = [
    () => "r/**",
    () => `r/${pick(glob)}`,
    () => `r/${pick(["a", "b", "ab"])}/**`,
    () => `r/**/${pick(glob)}`,
    () => `r/${pick(glob)}/${pick(glob)}`,
    () => `r/${pick(["a*", "*b", "*"])}/**`,
  ];
  const made = shapes[Number(pick(["0", "1", "2", "3", "4", "5"]))]?.() ?? "r/**";
  return made.includes("*") ? made : `${made}/**`;
}

function randomBlocks(random: () => number): Block[] {
  const pick: Pick = (items) => items[Math.floor(random() * items.length)] ?? "";
  const scopes = new Set<string>();
  while (scopes.size < 5) scopes.add(randomPattern(pick));
  for (const path of universe.filter(() => random() < 3 / universe.length)) scopes.add(path);
  const wide = [...scopes].filter((scope) => scope.includes("*"));
  return [...scopes].map((scope, index) => {
    const inherit = random() < 0.6;
    const names = ["p", "s", "t"].filter(() => random() < 0.5);
    const list = names.map((name) =>
      inherit && random() < 0.3
        ? { name, absent: true as const }
        : { name, level: pick(["30", "40"]) === "30" ? 30 : 40 },
    );
    const others = wide.filter((each) => each !== scope && [...matched(each)].some((path) => matched(scope).has(path)));
    const except = scope.includes("*") && random() < 0.2 ? others.filter(() => random() < 0.5) : [];
    const isOn = random() < 0.5;
    const tracking =
      random() < 0.2 ? ("unmanaged" as const) : { active: isOn, ...(random() < 0.5 && { integrated: !isOn }) };
    return {
      scope,
      line: index + 1,
      except,
      ...(random() < 0.4 && { reg: pick(["private", "enabled", "disabled"]) }),
      ...(random() < 0.3 && { tracking: scope.includes("*") && random() < 0.3 ? { integrated: isOn } : tracking }),
      ...(random() < 0.5 && { envs: random() < 0.15 ? ("unmanaged" as const) : { inherit, list } }),
    };
  });
}

/** The file, whose n-th line is the n-th block. */
function written(blocks: readonly Block[]): string {
  const lines = blocks.map(({ scope, except, reg, tracking, envs }) => {
    const entries = (list: readonly Environment[]) =>
      list.map(({ name, level, absent }) =>
        absent ? { name, absent } : { name, deploy_access_levels: [{ access_level: level }] },
      );
    const sections = {
      ...(except.length > 0 && { except }),
      ...(reg !== undefined && { container_registry_access_level: reg }),
      ...(tracking !== undefined && { error_tracking: tracking }),
      ...(envs !== undefined && {
        protected_environments:
          envs === "unmanaged" ? envs : [...(envs.inherit ? ["inherit"] : []), ...entries(envs.list)],
      }),
    };
    return `${JSON.stringify(scope)}: ${JSON.stringify(sections)}`;
  });
  return `{"forgectl": 1, "projects": {${lines.join(",\n")}}}\n`;
}

interface Explained {
  path: string;
  value: unknown;
  line: number;
  status: string;
}

function shown({ path, value, line }: Explained): string {
  if (Array.isArray(value)) return `${path} none`;
  const levels = (value as { deploy_access_levels?: { access_level: number }[] }).deploy_access_levels;
  return `${path} ${levels === undefined ? value : levels[0]?.access_level} ${line}`;
}

test("the effective declaration of each scope is that of the rules, and a file is refused where they say so", async () => {
  const here = session();
  const counts = { ambiguous: 0, incomplete: 0, valid: 0, declared: 0 };
  for (let seed = 1; seed <= 60; seed++) {
    const random = chanceOf(seed);
    const blocks = randomBlocks(random);
    const text = written(blocks);
    writeFileSync(join(here.home, "f"), text);
    const validated = await here.run("state", "validate", "-f", "f");
    const verdict = isAmbiguous(blocks) ? "ambiguous" : isIncomplete(blocks) ? "incomplete" : "valid";
    expect(validated.code, `seed ${seed}\n${text}${validated.stdout}`).toBe(verdict === "valid" ? 0 : 2);
    counts[verdict] += 1;
    if (verdict !== "valid") continue;
    const exact = blocks.filter((each) => !isWide(each)).map(({ scope }) => scope);
    for (const path of [...exact, ...universe.filter(() => random() < 4 / universe.length)]) {
      const { stdout } = await here.run("state", "explain", "-p", path, "-f", "f", "-o", "json");
      const rows = (JSON.parse(stdout) as Explained[]).filter(({ status }) => status === "effective");
      const wanted = effective(blocks, path);
      counts.declared += wanted.length;
      expect(rows.map(shown).sort(), `seed ${seed}, ${path}\n${text}`).toEqual(wanted);
    }
  }
  const { incomplete, ...others } = counts;
  expect(incomplete, JSON.stringify(counts)).toBeGreaterThan(0);
  expect(Math.min(...Object.values(others)), JSON.stringify(counts)).toBeGreaterThan(8);
}, 120_000);
