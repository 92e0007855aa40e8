#!/usr/bin/env node
"use strict";

// Until main has said otherwise: a program that ends with work still waiting has a bug, and must not look done.
process.exitCode = 70;

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 18)) {
  process.stderr.write(`error: forgectl needs Node 20.18.1 or newer; this is ${process.version}\n`);
} else if (!require("node:fs").existsSync(`${__dirname}/../dist/main.js`)) {
  process.stderr.write(
    `error: forgectl is not built: run npm ci && npm run build in ${require("node:path").dirname(__dirname)}\n`,
  );
} else {
  require("../dist/main.js")
    .main(process)
    .then((code) => {
      // All output has left; what Node would tidy up by itself takes as long as a tenth of a short command.
      process.exit(code);
    });
}
