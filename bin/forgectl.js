#!/usr/bin/env node
"use strict";

const { enableCompileCache } = require("node:module");

// Node's own choice is a folder that all users of a machine share, and what others can write must not be run.
const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env;
const caches = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && `${HOME}/.cache`);
if (caches) enableCompileCache?.(`${caches}/forgectl/node`);

// Until main has said otherwise: a program that ends with work still waiting has a bug, and must not look done.
process.exitCode = 70;

require("../dist/main.js")
  .main(process)
  .then((code) => {
    process.exitCode = code;
  });
