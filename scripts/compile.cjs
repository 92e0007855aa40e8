// node --random-seed=1 compile.cjs <folder> <folder>: V8's compiled code of each chunk, including every function. Run
// by the Node that will load it. The program itself does not run: that would make the compiled code differ between
// builds.
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
  // V8 accepts compiled code only with exactly the same flags.
  setFlagsFromString("--lazy");
  const cachedData = script.createCachedData();
  if (new Script(source, { filename, cachedData }).cachedDataRejected)
    throw new Error(`${name}: V8 rejects its own code`);
  writeFileSync(join(compiled, name), cachedData);
}
