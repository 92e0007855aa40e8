#!/usr/bin/env node
"use strict";

const { enableCompileCache } = require("node:module");

enableCompileCache?.();

require("../dist/main.js")
  .main(process)
  .then((code) => {
    process.exitCode = code;
  });
