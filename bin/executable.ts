// The start of a single executable, as bin/forgectl.js is that of an installed package.
import { embeddedParts } from "../src/app/embedded-files.ts";
import { main } from "../src/main.ts";

// Until main has said otherwise: a program that ends with work still waiting has a bug, and must not look done.
process.exitCode = 70;

void main(process, embeddedParts(process)).then((code) => {
  process.exit(code);
});
