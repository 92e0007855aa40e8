// `npm run attack [-- --minutes 10 --seed 7 <test files>]`: the tests that attack the program, with many more trials
// than in `npm test`, as many as the minutes allow, chosen by the seed. Each file is a process with its share of the
// time, after which it is killed with its children; it ends within the minutes and some seconds more, with a summary
// of what was tried and found.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { killAll } from "./processes.mjs";
import { ready, root } from "./ready.mjs";

const areas = {
  "faults x verbs": [
    ...[
      "lossy-verbs",
      "no-proof",
      "lost-answers",
      "pull-faults",
      "raced-changes",
      "settings-memory",
      "refused-reads",
      "inside-each-batch",
    ].map((name) => `test/e2e/${name}`),
    ...["bodies", "redirects", "shapes"].map((name) => `test/faults/${name}`),
    "test/state/disturbed",
  ],
  "shapes x examples": [
    "wrong-fields",
    "distorted",
    "odd-answers",
    "half-characters",
    "output-schemas",
    "examples",
  ].map((name) => `test/e2e/${name}`),
  kills: [
    ...["disturbed-jobs", "download-killed", "extract-killed", "pull-killed", "hook-redeliver-killed"].map(
      (name) => `test/e2e/${name}`,
    ),
    "test/state/stopped",
    "test/unit/config/lock",
  ],
  names: [
    ...["hostile-names", "hostile-answers", "hostile-doors", "suggested-lines", "unset-values"].map(
      (name) => `test/e2e/${name}`,
    ),
    ...["hostile", "hostile-completion"].map((name) => `test/tty/${name}`),
  ],
  "planted files": [
    ...["planted-files", "outside-hands", "altered-files"].map((name) => `test/e2e/${name}`),
    "test/state/saved-plans",
  ],
  secrets: ["test/e2e/every-secret", "test/e2e/secrets-on-stderr", "test/state/secrets"],
  "costly texts": [
    "test/e2e/output-costs",
    "test/e2e/state-costs",
    "test/sandbox/attack",
    "test/unit/base",
    "test/unit/node/archive-fuzz",
    "test/unit/state/costs",
    "test/unit/long-texts",
    "test/unit/patterns",
    "test/e2e/turns",
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
const rows = join(folder, "rows.ndjson");
const times = (each) => String(Math.max(1, Math.round(each * minutes)));
const env = {
  ...Object.fromEntries(
    ["EXAMPLES", "FIELDS", "NAMES", "SECRETS", "LOSSES", "READS"].map((name) => [`FORGECTL_TEST_${name}`, "all"]),
  ),
  FORGECTL_TEST_ROUNDS: times(0.5),
  FORGECTL_FUZZ: times(1000),
  FORGECTL_KILLS: times(3),
  FORGECTL_TEST_FAULTS: times(3),
  FORGECTL_FUZZ_SEED: String(seed),
  FORGECTL_TEST_SEED: String(seed),
  ...process.env,
  FORGECTL_ATTACK_REPORT: rows,
};

const again = ["npm run attack -- --minutes", values.minutes, "--seed", seed, ...positionals].join(" ");
process.stderr.write(`attack: ${again}\n`);
const started = Date.now();
const deadline = started + minutes * 60_000;
const leastMs = 25_000;
const lanes = availableParallelism() + 2;
const files = positionals.length > 0 ? positionals : inTurn(Object.values(areas));
const results = [];
const running = new Set();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => end(130));

let next = 0;
await Promise.all(Array.from({ length: lanes }, work));
process.stdout.write(`${summary().join("\n")}\n`);
end(results.some(({ found }) => found > 0) ? 1 : 0);

/** One of each area in turn, so that a short attack has something of all. */
function inTurn(lists) {
  const longest = Math.max(...lists.map(({ length }) => length));
  return [...Array(longest).keys()].flatMap((index) => lists.flatMap((list) => list[index] ?? []));
}

async function work() {
  while (next < files.length) {
    const left = deadline - Date.now();
    const share = Math.min(left, (left * lanes) / (files.length - next));
    const file = files[next++];
    if (left <= 0) results.push({ file, state: "not started", tests: 0, found: 0, seconds: 0 });
    // Most files need less than their share, so that a slow one may take more.
    else results.push(await attacked(file, { shareMs: share, limitMs: Math.max(leastMs, Math.min(2 * share, left)) }));
  }
}

/** Runs one file in a process group of its own, which is killed when its time is over. */
function attacked(file, { shareMs, limitMs }) {
  const begun = Date.now();
  const result = join(folder, `${next}.json`);
  const temporary = mkdtempSync(join(folder, "t-"));
  const vitest = [`${root}/node_modules/vitest/vitest.mjs`, "run", "--test-timeout", "900000", "--maxWorkers=1"];
  const child = spawn(process.execPath, [...vitest, "--reporter=json", `--outputFile=${result}`, file], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
    env: { ...env, TMPDIR: temporary, FORGECTL_ATTACK_SECONDS: String(shareMs / 2000) },
  });
  const program = { child, temporary };
  running.add(program);
  child.stderr.resume();
  const timer = setTimeout(() => killAll(program), limitMs);
  return new Promise((resolve) => {
    child.on("exit", () => {
      clearTimeout(timer);
      // Also what the tests left behind.
      killAll(program);
      running.delete(program);
      const seconds = (Date.now() - begun) / 1000;
      const row = existsSync(result) ? judged(file, JSON.parse(readFileSync(result, "utf8"))) : stopped(file);
      process.stderr.write(`${row.state.padEnd(9)} ${Math.round(seconds)} s  ${file}\n${row.text ?? ""}`);
      resolve({ ...row, seconds });
    });
  });
}

function judged(file, { testResults }) {
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = all.filter(({ status }) => status === "failed");
  const texts = failed.map(({ fullName, failureMessages }) => `  ${fullName}\n${failureMessages.join("\n")}\n`);
  const broken = testResults.filter(({ status, assertionResults: { length } }) => status === "failed" && length === 0);
  texts.push(...broken.map(({ message }) => `${message}\n`));
  return {
    file,
    state: texts.length > 0 ? "FOUND" : "held",
    tests: all.length,
    found: texts.length,
    text: texts.join(""),
  };
}

function stopped(file) {
  return { file, state: "stopped", tests: 0, found: 0 };
}

function end(code) {
  for (const program of running) killAll(program);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.exit(code);
}

/** One line per area, with what its files reported; of each count the last. */
function summary() {
  const lines = existsSync(rows) ? readFileSync(rows, "utf8").split("\n").slice(0, -1) : [];
  const cells = [
    ...new Map(lines.map((line) => JSON.parse(line)).map((row) => [`${row.file} ${row.id}`, row])).values(),
  ];
  const table = ["", "area               files  stopped  tests  cells tried/all  seconds  findings"];
  for (const [area, names] of Object.entries(areas)) {
    // A file may be named without its folder.
    const isOwn = (file) => names.some((name) => file.startsWith(name) || name.endsWith(`/${file}`));
    const run = results.filter(({ file }) => isOwn(file));
    if (run.length === 0) continue;
    const sum = (list, key) => list.reduce((total, row) => total + row[key], 0);
    const counted = cells.filter(({ file }) => isOwn(relative(root, file).replaceAll("\\", "/")));
    const unfinished = run.filter(({ state }) => state === "stopped" || state === "not started").length;
    const columns = [
      String(run.length).padStart(5),
      String(unfinished).padStart(7),
      String(sum(run, "tests")).padStart(5),
      `${sum(counted, "tried")}/${sum(counted, "all")}`.padStart(15),
      String(Math.round(sum(run, "seconds"))).padStart(7),
      String(sum(run, "found")).padStart(8),
    ];
    table.push(`${area.padEnd(18)} ${columns.join("  ")}`);
  }
  table.push(`${Math.round((Date.now() - started) / 1000)} seconds; again: ${again}`);
  return table;
}
