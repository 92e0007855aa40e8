#!/usr/bin/env node
"use strict";

// Until main has said otherwise: a program that ends with work still waiting has a bug, and must not look done.
process.exitCode = 70;

require("../dist/main.js")
  .main(process)
  .then((code) => {
    process.exitCode = code;
  });
