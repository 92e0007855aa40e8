// `npm run mutate [-- --seed 7 --share 0.02 --minutes 60 <source files>]`: changes the sources of five rooms in one
// small place at a time, a mutant, and runs the tests that reach it, which should fail; what none of them notices is
// compiled. Ends with a table and the survivors, and with exit code 1 if fewer than 90 % were noticed. Everything is in
// build/mutate. It needs Linux, for its bounds.
//
// Not Stryker: the tests run a bundle, partly in processes with an environment of their own, from which it learns
// neither what they reach, nor do they learn which mutant is active. It takes no samples, does not limit memory, and
// its runner for vitest counts changes of code that runs on import as survivors.
//
//   --seed      chooses the mutants, and their order; without it, the time does
//   --share     the part of all mutants to try (default: 0.02)
//   --minutes   begins no mutant after that time (default: 60); at most a quarter is for finding out what tests reach
//   --workers   trials at once (default: 1)
//   --seconds   test time for each mutant, the best tests first (default: 150)
//   --mutant    only this one, with all its tests
//   --cover     finds out again which tests reach what
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runFiles, stopAll } from "./mutate/bounded.mjs";
import { cover, testsOf } from "./mutate/cover.mjs";
import { summary } from "./mutate/summary.mjs";
import { allMutants, prepareTree } from "./mutate/tree.mjs";
import { compilerOf } from "./mutate/types.mjs";

const { values, positionals } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    share: { type: "string" },
    minutes: { type: "string", default: "60" },
    workers: { type: "string", default: "1" },
    seconds: { type: "string", default: "150" },
    mutant: { type: "string" },
    cover: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const isWhole = values.mutant !== undefined || positionals.length > 0;
const share = Number(values.share ?? (isWhole ? 1 : 0.02));
const [minutes, workers, seconds] = [values.minutes, values.workers, values.seconds].map(Number);
if (!(share > 0 && share <= 1 && minutes > 0 && workers >= 1 && seconds > 0))
  throw new Error("an option is out of range");
if (process.platform !== "linux") throw new Error("this needs Linux: it finds and bounds processes in /proc");

const root = process.cwd();
const folder = join(root, "build", "mutate");
const started = Date.now();
const deadline = started + minutes * 60_000;
const say = (text) => process.stderr.write(`${text}\n`);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => end(130));

const perFile = allMutants(root);
const chosen = choose();
if (chosen.length === 0) throw new Error("no mutant is named so");
const again = `npm run mutate -- --seed ${values.seed} --share ${share} ${positionals.join(" ")}`.trim();
say(`mutate: ${chosen.length} mutants; ${again}`);
mkdirSync(folder, { recursive: true });
const trees = [...Array(workers).keys()].map((each) => prepareTree(root, join(folder, String(each)), perFile));
const compilers = new Map(trees.map((tree) => [tree, compilerOf(root, join(tree.folder, "types"))]));
// The rest of the time is for the mutants, even if some tests are not known then.
const coverUntil = started + (minutes * 60_000) / 4;
const { known, missing } = await cover(root, folder, perFile, { trees, until: coverUntil, isAnew: values.cover, say });

const results = [];
const waiting = [...chosen];
/** Test files that killed a mutant of the same source file come first. */
const killers = new Map();
await Promise.all(trees.map(work));
const unused = [...known].flatMap(([file, { passed }]) => (passed ? [] : [file]));
const { lines, isGood } = summary(results, { begun: started, chosen: chosen.length, unused, missing, again });
process.stdout.write(`${lines.join("\n")}\n`);
end(isGood ? 0 : 1);

/** The mutants to try, in an order that depends on the seed and their names alone. */
function choose() {
  let first = 0;
  const all = perFile.flatMap(({ file, mutants }) => {
    const at = first;
    first += mutants.length;
    return mutants.map((mutant, index) => ({ mutant, index, number: at + index, file, mutants }));
  });
  if (values.mutant !== undefined) return all.filter(({ mutant }) => mutant.id === values.mutant);
  const own = all.filter(({ file }) => positionals.length === 0 || positionals.some((each) => file.startsWith(each)));
  const rank = ({ mutant }) => createHash("sha256").update(`${values.seed} ${mutant.id}`).digest("hex");
  const sorted = own.map((each) => [rank(each), each]).sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.slice(0, Math.ceil(own.length * share)).map(([, each]) => each);
}

async function work(tree) {
  for (let next = waiting.shift(); next !== undefined && Date.now() < deadline; next = waiting.shift()) {
    const result = await compiled(tree, await tried(tree, next));
    results.push(result);
    const { mutant, state, test, why } = result;
    const place = test === undefined ? "" : `  ${test}${why === undefined ? "" : `: ${why}`}`;
    say(`${String(results.length).padStart(5)}  ${state.padEnd(11)} ${mutant.id}${place}`);
  }
}

/** A mutant that no test has noticed, and that does not compile, is refused by `npm run check`. */
async function compiled(tree, result) {
  if (result.state !== "survived" && result.state !== "not covered") return result;
  const why = await compilers.get(tree)(result.mutant);
  return why === undefined ? result : { ...result, state: "refused", test: "types", why };
}

async function tried(tree, { mutant, index, number, file, mutants }) {
  const reaching = testsOf({ file, mutants }, index, known);
  if (reaching.length === 0) return { mutant, state: "not covered", tests: 0, of: 0 };
  const kills = killers.get(file) ?? new Map();
  killers.set(file, kills);
  reaching.sort((a, b) => a.cost / (1 + (kills.get(a.test) ?? 0)) - b.cost / (1 + (kills.get(b.test) ?? 0)));
  const tests = values.mutant === undefined ? affordable(reaching) : reaching;
  const files = tests.map(({ test }) => test);
  const usual = new Map(tests.map((each) => [each.test, each.seconds]));
  tree.select("mutant", number);
  // A loaded machine may take three times as long; a loop never ends.
  const end = await runFiles(tree, files, { limitMs: (test) => 20_000 + 3000 * usual.get(test) });
  tree.select();
  const base = { mutant, tests: end.tried, of: reaching.length, test: end.file, why: end.why };
  if (end.outcome === "passed") return { ...base, state: "survived", test: undefined };
  kills.set(end.file, (kills.get(end.file) ?? 0) + 1);
  if (end.outcome === "failed") return { ...base, state: "killed" };
  if (end.outcome === "broken") throw new Error(`${mutant.id}: no tests were run: ${end.why}`);
  return { ...base, state: "timed out", why: end.outcome };
}

/** The first ones that together fit into the time for one mutant. */
function affordable(tests) {
  let sum = 0;
  return tests.filter(({ seconds: own }, index) => {
    if (index > 0 && sum + own > seconds) return false;
    sum += own;
    return true;
  });
}

function end(code) {
  stopAll();
  process.exit(code);
}
