// Changes of single places in bundled packages: what a user would notice without each, and the test against the bundle
// that fails without it. The build fails if a place no longer exists.

/**
 * Instantiates undici's WebAssembly parser so that V8 never compiles it a second time, optimized: the first code is as
 * fast for what it does. V8 decides that when it compiles a function: here, at once. The flags are reset, since V8
 * rejects everything compiled with other flags, including Node's own modules. A version of Node that does not know them
 * would print an error.
 *
 * @param {() => WebAssembly.Instance} create
 */
function withoutTierUp(create) {
  if (!/^2[0246]\./.test(process.versions.node)) return create();
  const { setFlagsFromString } = require("node:v8");
  setFlagsFromString("--wasm-tier-up-filter=9999");
  setFlagsFromString("--no-wasm-lazy-compilation");
  try {
    return create();
  } finally {
    setFlagsFromString("--wasm-tier-up-filter=-1");
    setFlagsFromString("--wasm-lazy-compilation");
  }
}

export const patches = [
  // A request takes 220 ms instead of 90 on Node 20. 3,000 rows take 270 ms instead of 190 on Node 22, and a fifth more
  // CPU time on Node 24 and 26. test/e2e/patches.test.ts
  {
    file: "undici/lib/dispatcher/client-h1.js",
    code: "llhttpInstance = lazyllhttp()",
    instead: `llhttpInstance = (${withoutTierUp})(lazyllhttp)`,
  },
  // Every request loads Node's http2, which is not used: 8 ms of 60 on Node 20, 20 of 65 on Node 26.
  // test/e2e/patches.test.ts
  { file: "undici/lib/dispatcher/client.js", code: "require('./client-h2.js')", instead: "undefined" },
  // FORCE_COLOR=-1 ends each command with an error of chalk: it reads the environment by itself when it is loaded, for
  // instances that are not used here. test/e2e/patches.test.ts
  {
    file: "chalk/source/index.js",
    code: "import supportsColor from '#supports-color';",
    instead: "const supportsColor = { stdout: false, stderr: false };",
  },
  // The columns after a Thai or Hebrew name are shifted. test/tty/tables.test.ts
  {
    file: "cli-table3/src/utils.js",
    code: "require('string-width')",
    instead: "require('fast-string-width').default",
  },
  // A cell of 20,000 characters that are not ASCII takes 13 s, and one of twice as many four times that: for a message
  // that is not read, each is cut character by character. test/e2e/patches.test.ts
  {
    file: "cli-table3/src/cell.js",
    code: "let content = utils.truncate(this.content, 10, this.truncate);",
    instead: 'let content = "";',
  },
  // In a terminal opened by a snap, profiles are written in place: a killed process loses them.
  // test/e2e/patches.test.ts
  { file: "conf/dist/source/index.js", code: "process.env.SNAP", instead: "false" },
  // On a full disk, a write may be partial without an error: a part of the profiles replaces all of them.
  // test/e2e/profiles.test.ts
  {
    file: "atomically/dist/index.js",
    code: "fs.retry.writeSync(retryOptions)(fd, data, 0, options.encoding || DEFAULT_ENCODING)",
    instead: 'process.getBuiltinModule("node:fs").writeFileSync(fd, data)',
  },
  // Ctrl-C ends a prune that has stored its hourly limit at once, and without its result. test/e2e/patches.test.ts
  {
    file: "atomically/dist/utils/temp.js",
    code: "import whenExit from 'when-exit';",
    instead: "const whenExit = () => {};",
  },
  // -o yaml of a text of 3 MB is a bug (exit 70): the expressions that choose its quotes take stack for each character.
  // test/e2e/patches.test.ts
  {
    file: "js-yaml/dist/js-yaml.mjs",
    code: "let mask = setBit(0, SCALAR_STYLE.DOUBLE_QUOTED);",
    instead:
      "let mask = setBit(0, SCALAR_STYLE.DOUBLE_QUOTED);" +
      "if (layout.node.value.length > 1e6) { layout.allowedStylesMask = mask; return; }",
  },
  // --jq fails: a chunk has no address, and its WebAssembly is a part of the program (src/app/parts.ts).
  // test/e2e/patches.test.ts
  { file: "jq-wasm/dist/index.mjs", code: "fileURLToPath(import.meta.url)", instead: '"."' },
  { file: "jq-wasm/dist/index.mjs", code: "await readFile(wasmPath)", instead: 'require("jq.wasm")' },
  // A filter of 40 kB that has an error at each word takes 50 s and 3 GB: jq repeats the whole of it for each error. It
  // is stopped when it has written 4 MB to its stderr, with its exit code for what fails. test/e2e/jq-costs.test.ts
  {
    file: "jq-wasm/dist/index.mjs",
    code: "stderrSink.reset();",
    instead: "stderrSink.reset(); stderrSink.left = 4e6;",
  },
  {
    file: "jq-wasm/dist/index.mjs",
    code: "if (byte != null) stderrSink.push(byte);",
    instead: 'if (stderrSink.left-- === 0) throw "unwind"; if (byte != null) stderrSink.push(byte);',
  },
  {
    file: "jq-wasm/dist/index.mjs",
    code: "output(buffer[offset + i]);\n              } catch (e) {",
    instead:
      'output(buffer[offset + i]);\n              } catch (e) { if (e === "unwind") { EXITSTATUS = 5; throw e; }',
  },
];
