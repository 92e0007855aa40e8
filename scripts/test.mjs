// `npm test`: ready, then the whole suite. Arguments go to the test runner.
import { ready, root, run } from "./ready.mjs";

ready();
run(process.execPath, [`${root}/node_modules/vitest/vitest.mjs`, "run", ...process.argv.slice(2)]);
