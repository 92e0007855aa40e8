import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/order.mts";

export default defineConfig({
  define: { __VERSION__: JSON.stringify("0.0.0-test") },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/temporary.ts",
    setupFiles: ["test/support/setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default"],
    // Files share a process: only caches that no test can change remain in it. A start each would take a third of the
    // time.
    isolate: false,
    // Threads for the collection of garbage would only take cores from other files. With more space for young objects
    // from the start, it takes less time.
    execArgv: ["--single-threaded-gc", "--min-semi-space-size=16", "--max-semi-space-size=32"],
    // Tests wait much of their time, for pauses of the program or for a terminal: two more files than cores use that
    // time. With more of them, those that start the program often exceed their time.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
  },
});
