// `npm test`: prepares the clone, then runs the whole suite. Arguments are passed to the test runner, but two select
// the files whose results depend on the version of Node: --node-start those on how the program starts and ends (its
// compiled code, flags, signals), --node-dependent those on messages and details of Node's own modules.
import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { ready, root, run } from "./ready.mjs";

const selections = {
  "--node-dependent": [
    "test/e2e/bad-input.test.ts",
    "test/e2e/hook-listen.test.ts",
    "test/e2e/jobs-stopped.test.ts",
    "test/e2e/patches.test.ts",
    "test/e2e/profiles.test.ts",
    "test/faults/doctor.test.ts",
    "test/unit/base",
    "test/unit/node",
    // What shells do, and archives that are damaged at random.
    "--exclude=test/unit/base/line.test.ts",
    "--exclude=test/unit/node/archive-fuzz.test.ts",
  ],
  "--node-start": [
    "test/e2e/code-cache.test.ts",
    "test/e2e/command-line.test.ts",
    "test/e2e/parser.test.ts",
    "test/e2e/texts-of-others.test.ts",
  ],
};

ready();
const { v8 } = process.versions;
const compiled = join(root, "dist", "compiled", `${v8}-${process.arch}`);
// The compiled code that is tested is that of this Node, as if it had built the rest too.
if (!existsSync(compiled)) {
  const fresh = `${compiled}-${process.pid}`;
  run(process.execPath, ["--random-seed=1", "scripts/compile.cjs", "dist/chunks", join(fresh, "chunks")]);
  renameSync(fresh, compiled);
}
const words = process.argv.slice(2).flatMap((word) => selections[word] ?? [word]);
run(process.execPath, [`${root}/node_modules/vitest/vitest.mjs`, "run", ...words]);
