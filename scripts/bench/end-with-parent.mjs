// Loaded by each server: ends it when the run of the benchmark ends, however that ends.
process.stdin.on("end", () => process.exit()).resume();
