// `npm run attack [-- <test files>]`: the tests that attack the program, with many more trials than in `npm test`: lost
// and foreign answers to every change, distorted answers and hostile names to every example, secrets in all that it
// writes, damaged archives, requests of every shape, killed and disturbed jobs, runs of state that are disturbed at
// every request, costly texts. Prints the seed; FORGECTL_FUZZ_SEED and FORGECTL_TEST_SEED repeat a run.
import { ready, root, run } from "./ready.mjs";

const files = [
  "test/e2e/lossy-verbs",
  "test/e2e/no-proof",
  "test/e2e/odd-answers",
  "test/e2e/distorted",
  "test/e2e/wrong-fields",
  "test/e2e/hostile-names",
  "test/e2e/every-secret",
  "test/e2e/hostile-answers",
  "test/e2e/disturbed-jobs",
  "test/e2e/download-killed",
  "test/e2e/pull-faults",
  "test/e2e/secrets-on-stderr",
  "test/e2e/state-costs",
  "test/state/disturbed",
  "test/sandbox/attack",
  "test/unit/base",
  "test/unit/node/archive-fuzz",
  "test/unit/state/costs",
];
const wholes = { FORGECTL_TEST_LOSSES: "all", FORGECTL_TEST_NAMES: "all", FORGECTL_TEST_SECRETS: "all" };
const counts = { FORGECTL_TEST_ROUNDS: "2", FORGECTL_FUZZ: "20000", FORGECTL_KILLS: "30" };
const trials = { ...wholes, ...counts, FORGECTL_TEST_FIELDS: "all", FORGECTL_TEST_FAULTS: "all" };
const seed = String(Date.now() % 1_000_000);
const seeds = { FORGECTL_FUZZ_SEED: seed, FORGECTL_TEST_SEED: seed };

ready();
Object.assign(process.env, { ...trials, ...seeds, ...process.env });
process.stderr.write(`attack: FORGECTL_FUZZ_SEED=${process.env.FORGECTL_FUZZ_SEED}\n`);
const asked = process.argv.slice(2);
const vitest = `${root}/node_modules/vitest/vitest.mjs`;
run(process.execPath, [vitest, "run", "--test-timeout", "900000", ...(asked.length > 0 ? asked : files)]);
