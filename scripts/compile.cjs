// node --random-seed=1 compile.cjs <folder> <folder>: what V8 makes of each chunk, every function of it. Run by the Node that
// will load it. Nothing of the program runs: what a run leaves in compiled code differs from one to the next.
"use strict";

const { mkdirSync, readdirSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { setFlagsFromString } = require("node:v8");
const { Script } = require("node:vm");

const [chunks, compiled] = process.argv.slice(2);
mkdirSync(compiled, { recursive: true });
for (const name of readdirSync(chunks)) {
  const source = readFileSync(join(chunks, name), "latin1");
  const filename = `chunks/${name}`;
  setFlagsFromString("--no-lazy");
  const script = new Script(source, { filename });
  // V8 takes code for the very same flags only.
  setFlagsFromString("--lazy");
  const cachedData = script.createCachedData();
  if (new Script(source, { filename, cachedData }).cachedDataRejected)
    throw new Error(`${name}: V8 rejects its own code`);
  writeFileSync(join(compiled, name), cachedData);
}
