// `npm test`: prepares the clone, then runs the whole suite. Arguments are passed to the test runner.
import { ready, root, run } from "./ready.mjs";

ready();
run(process.execPath, [`${root}/node_modules/vitest/vitest.mjs`, "run", ...process.argv.slice(2)]);
