// In each process that runs instrumented code: which mutant is active, as the file "active" beside it says, or while
// covering, which ones are reached: each has a byte in a file that all processes share, so that a killed one counts.
const { openSync, readFileSync, writeSync } = require("node:fs");
const { join } = require("node:path");

const [mode, value] = readFileSync(join(__dirname, "active"), "utf8").split("\n");

if (mode === "cover") {
  const file = openSync(value, "r+");
  const seen = [];
  globalThis.$m = (number) => {
    if (!seen[number]) {
      seen[number] = true;
      writeSync(file, "\x01", number);
    }
    return false;
  };
} else {
  const active = mode === "mutant" ? Number(value) : -1;
  globalThis.$m = (number) => number === active;
}

module.exports = globalThis.$m;
