import { defineConfig } from "vitest/config";

export default defineConfig({
  define: { __VERSION__: JSON.stringify("0.0.0-test") },
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/support/setup.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ["default"],
    // Files leave nothing behind in their process, so that the next ones can run in it: a start each would take a third
    // of the time. Most tests wait for a process of their own, so that every core has one to run.
    isolate: false,
    maxWorkers: "100%",
  },
});
