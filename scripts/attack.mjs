// `npm run attack [-- --minutes 10 --seed 7 <test files>]`: the tests that attack the program, with many more trials
// than in `npm test`, as many as the minutes allow, chosen by the seed. Ends with a summary of what was tried and
// found.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { ready, root } from "./ready.mjs";

const areas = {
  "faults x verbs": [
    ...["lossy-verbs", "no-proof", "lost-answers", "pull-faults"].map((name) => `test/e2e/${name}`),
    ...["bodies", "redirects", "shapes"].map((name) => `test/faults/${name}`),
    "test/state/disturbed",
  ],
  "shapes x examples": ["wrong-fields", "distorted", "odd-answers", "half-characters"].map(
    (name) => `test/e2e/${name}`,
  ),
  kills: [
    ...["disturbed-jobs", "download-killed", "extract-killed", "pull-killed", "hook-redeliver-killed"].map(
      (name) => `test/e2e/${name}`,
    ),
    "test/state/stopped",
  ],
  names: [
    ...["hostile-names", "hostile-answers", "hostile-doors"].map((name) => `test/e2e/${name}`),
    ...["hostile", "hostile-completion"].map((name) => `test/tty/${name}`),
  ],
  "planted files": ["test/e2e/planted-files", "test/state/saved-plans"],
  secrets: ["test/e2e/every-secret", "test/e2e/secrets-on-stderr", "test/state/secrets"],
  "costly texts": [
    "test/e2e/state-costs",
    "test/sandbox/attack",
    "test/unit/base",
    "test/unit/node/archive-fuzz",
    "test/unit/state/costs",
    "test/unit/long-texts",
  ],
};

const { values, positionals } = parseArgs({
  options: { minutes: { type: "string", default: "10" }, seed: { type: "string" } },
  allowPositionals: true,
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!(minutes > 0) || !Number.isSafeInteger(seed)) throw new Error("--minutes and --seed must be numbers");

ready();
const folder = mkdtempSync(join(tmpdir(), "forgectl-attack-"));
const [rows, results] = [join(folder, "rows.ndjson"), join(folder, "results.json")];
const times = (each) => String(Math.max(1, Math.round(each * minutes)));
const env = {
  ...Object.fromEntries(["FIELDS", "NAMES", "SECRETS", "LOSSES"].map((name) => [`FORGECTL_TEST_${name}`, "all"])),
  FORGECTL_TEST_ROUNDS: times(0.5),
  FORGECTL_FUZZ: times(1000),
  FORGECTL_KILLS: times(3),
  FORGECTL_TEST_FAULTS: times(3),
  FORGECTL_FUZZ_SEED: String(seed),
  FORGECTL_TEST_SEED: String(seed),
  ...process.env,
  // Several files with cells run at once; the other files need the rest of the time.
  FORGECTL_ATTACK_SECONDS: String(Math.round(minutes * 60 * 0.35)),
  FORGECTL_ATTACK_REPORT: rows,
};

const again = `npm run attack -- --minutes ${values.minutes} --seed ${seed}`;
process.stderr.write(`attack: ${again} ${positionals.join(" ")}\n`);
const started = Date.now();
const vitest = [`${root}/node_modules/vitest/vitest.mjs`, "run", "--test-timeout", "900000"];
const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${results}`];
const files = positionals.length > 0 ? positionals : Object.values(areas).flat();
const { status } = spawnSync(process.execPath, [...vitest, ...reporters, ...files], {
  cwd: root,
  stdio: "inherit",
  env,
  timeout: (2 * minutes + 3) * 60_000,
});
const isComplete = existsSync(results);
process.stdout.write(`${summary().join("\n")}\n`);
if (!isComplete) process.stdout.write("stopped before the end: there is no result\n");
rmSync(folder, { recursive: true, force: true });
process.exitCode = status || (isComplete ? 0 : 1);

/** One line per area, with what its files reported. */
function summary() {
  const tests = isComplete ? JSON.parse(readFileSync(results, "utf8")).testResults : [];
  const cells = existsSync(rows)
    ? readFileSync(rows, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
  const lines = ["", "area               tests  cells tried/all  seconds  findings"];
  for (const [area, own] of Object.entries(areas)) {
    const isOwn = (path) => own.some((name) => relative(root, path).startsWith(name));
    const run = tests.filter(({ name }) => isOwn(name));
    if (run.length === 0) continue;
    const all = run.flatMap(({ assertionResults }) => assertionResults);
    const found = all.filter(({ status }) => status === "failed").length;
    const broken = run.filter(({ status, assertionResults }) => status === "failed" && assertionResults.length === 0);
    const [tried, total] = ["tried", "all"].map((key) =>
      cells.filter(({ file }) => isOwn(file)).reduce((sum, row) => sum + row[key], 0),
    );
    const seconds = Math.round(run.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0) / 1000);
    const columns = [String(all.length).padStart(5), `${tried}/${total}`.padStart(15), String(seconds).padStart(7)];
    lines.push(`${area.padEnd(18)} ${columns.join("  ")}  ${String(found + broken.length).padStart(8)}`);
  }
  lines.push(`${Math.round((Date.now() - started) / 1000)} seconds; again: ${again}`);
  return lines;
}
