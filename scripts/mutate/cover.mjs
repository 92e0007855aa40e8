// Which test files reach which mutants: each test file is run once, alone, with no mutant active. What was found is
// kept, and found again only for test files that have changed.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runFiles } from "./bounded.mjs";
import { filesBelow } from "./tree.mjs";

/** Those with the narrowest tests first. The others check files and packages, or never start the client. */
const folders = ["unit", "contract", "faults", "state", "e2e", "tty", "docs"];
const limitMs = 240_000;

/**
 * Runs the test files that are new or have changed, with one tree per worker, `until` a time. Returns what is known
 * of each test file: `seconds`, whether it `passed`, and for each source file its `reached` mutants.
 */
export async function cover(root, folder, perFile, { trees, until, isAnew, say }) {
  const path = join(folder, "cover.json");
  const kept = existsSync(path) && !isAnew ? JSON.parse(readFileSync(path, "utf8")) : {};
  const files = folders.flatMap((each) => [...filesBelow(root, `test/${each}`)]).filter((f) => f.endsWith(".test.ts"));
  const tests = files.map((file) => ({ file, hash: hashOf(readFileSync(join(root, file))) }));
  const known = new Map();
  for (const { file, hash } of tests) if (kept[file]?.hash === hash) known.set(file, kept[file]);
  const open = tests.filter(({ file }) => !known.has(file));
  if (open.length > 0) say(`covering: ${open.length} test files, each alone`);
  let done = 0;
  const total = perFile.reduce((sum, { mutants }) => sum + mutants.length, 0);
  const work = async (tree) => {
    for (let next = open.shift(); next !== undefined && Date.now() < until; next = open.shift()) {
      const reachedPath = join(tree.folder, "reached");
      writeFileSync(reachedPath, Buffer.alloc(total));
      tree.select("cover", reachedPath);
      const begun = Date.now();
      const { outcome, why } = await runFiles(tree, [next.file], { limitMs: () => limitMs });
      const seconds = (Date.now() - begun) / 1000;
      const reached = perFileOf(readFileSync(reachedPath), perFile);
      known.set(next.file, { hash: next.hash, seconds, passed: outcome === "passed", reached });
      say(`${outcome.padEnd(8)} ${seconds.toFixed(1)} s  ${next.file}${why === undefined ? "" : `: ${why}`}`);
      done += 1;
      if (done % 10 === 0) save(path, known);
    }
  };
  await Promise.all(trees.map(work));
  for (const tree of trees) tree.select();
  save(path, known);
  return { known, missing: tests.filter(({ file }) => !known.has(file)).map(({ file }) => file) };
}

function save(path, known) {
  writeFileSync(path, JSON.stringify(Object.fromEntries(known)));
}

/** For each source file that was reached, its mutants that were, by number, with a hash of all of them. */
function perFileOf(bytes, perFile) {
  const reached = {};
  let first = 0;
  for (const { file, mutants } of perFile) {
    const numbers = mutants.flatMap((_, index) => (bytes[first + index] ? [index] : []));
    if (numbers.length > 0) reached[file] = { hash: hashOf(idsOf(mutants)), numbers };
    first += mutants.length;
  }
  return reached;
}

/**
 * The test files that reach a mutant, best first: quick ones that reach much of its file, and to which its room is a
 * large part of what they reach. If the mutants of the file have changed since, all that reached anything in it.
 */
export function testsOf({ file, mutants }, index, known) {
  const hash = hashOf(idsOf(mutants));
  const room = file.split("/").slice(0, 2).join("/");
  const found = [...known].flatMap(([test, { seconds, passed, reached }]) => {
    const own = reached[file];
    if (!passed || own === undefined || (own.hash === hash && !own.numbers.includes(index))) return [];
    const sum = (files) => files.reduce((total, [, { numbers }]) => total + numbers.length, 0);
    const all = Object.entries(reached);
    const share = sum(all.filter(([name]) => name.startsWith(`${room}/`))) / sum(all);
    return [{ test, seconds, cost: seconds / own.numbers.length / share }];
  });
  return found.sort((a, b) => a.cost - b.cost);
}

function idsOf(mutants) {
  return mutants.map(({ id, before }) => `${id} ${before}`).join("\n");
}

function hashOf(content) {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}
