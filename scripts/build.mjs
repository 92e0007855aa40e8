// Bundles src/ into dist/: CommonJS, split by dynamic import, so that a command loads its own chunk and no other.
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { build } from "rolldown";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const root = new URL("..", import.meta.url).pathname;

// Parts of undici that plain HTTP/1.1 requests never run: 180 kB, and Node's http2, to load on every request.
const unused = /undici\/lib\/(?:web\/fetch\/body|dispatcher\/client-h2|llhttp\/llhttp-wasm)\.js$/;
const withoutUnusedUndici = {
  name: "without-unused-undici",
  load: (id) => (unused.test(id) ? "module.exports = {};" : undefined),
};
// Modules of Node's that are asked for at start-up and never used here, each a few milliseconds to load.
const needless = [
  // For subcommands that are programs of their own; there are none.
  { file: "commander/lib/command.js", module: "node:child_process", instead: "{}" },
  // For a check of what kind of stream a body is, and for Node's limit on headers.
  { file: "undici/lib/core/util.js", module: "node:http", instead: "{ IncomingMessage: class {} }" },
  { file: "undici/lib/dispatcher/client.js", module: "node:http", instead: "{ maxHeaderSize: 16384 }" },
];
const withoutNeedless = {
  name: "without-needless-modules",
  transform(code, id) {
    const changes = needless.filter(({ file }) => id.endsWith(file));
    if (changes.length === 0) return undefined;
    return changes.reduce((text, { file, module, instead }) => {
      const call = `require('${module}')`;
      if (!text.includes(call)) throw new Error(`${file} does not ask for ${module} any more`);
      return text.replace(call, `(${instead})`);
    }, code);
  },
};

/**
 * What every start needs, and what every request needs, in one file each: on a cold start finding and reading a file
 * costs more than the code in it. What few commands need stays in chunks of its own.
 */
const rare = "terminal/(?:table|layout|yaml-dump)|api/transport/(?:proxy|tunnel|tls|decode|sweep)|host/zip/[a-z]+";
const chunks = [
  {
    name: "shell",
    test: /rolldown\/runtime|src\/(?:run|errors|host|nearest|format|commands\/index|cli\/(?:ask-help|help|load|topics|words)|command\/(?:command|code|describe|globals|list-flags|verbs|bulk|confirm|scope|poll)|api\/(?:field|endpoint|types|request|fate|access-level|endpoints\/scope)|terminal\/(?:streams|sanitize))\.ts$/,
  },
  { name: "parser", test: /node_modules\/commander\/|src\/cli\// },
  { name: "transport", test: new RegExp(`node_modules/undici/|src/(?!(?:${rare})\\.ts$)api/transport`) },
  {
    name: "engine",
    test: new RegExp(
      `src/(?:wire|perform)\\.ts$|src/(?!(?:${rare})\\.ts$)(?:api/(?!endpoints/)|config/|host/|terminal/)`,
    ),
  },
];

const target = `${root}dist`;
const fresh = `${root}dist-${process.pid}`;
const stale = `${root}dist-${process.pid}-old`;

/**
 * Chunks as src/code-cache.ts loads them: each is one function expression, in ASCII, so that V8 compiles the bytes as
 * they are in the file.
 */
const asFunctions = {
  name: "as-functions",
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (/String\.raw`[^`]*[^\0-\x7f]/.test(chunk.code)) throw new Error(`${chunk.fileName}: raw text in non-ASCII`);
      const ascii = chunk.code.replace(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
      chunk.code = `(function (exports, require, module) {${ascii}})`;
    }
  },
};

const shared = { cwd: root, platform: "node", logLevel: "warn" };
const output = {
  dir: fresh,
  format: "cjs",
  // What is not bundled is loaded with `require`: scripts from a code cache have no `import()`.
  dynamicImportInCjs: false,
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
};

const program = await build({
  ...shared,
  input: { run: "src/run.ts" },
  plugins: [withoutUnusedUndici, withoutNeedless, asFunctions],
  preserveEntrySignatures: "allow-extension",
  // Both carry files of their own (a WebAssembly module, a native addon) and cannot move into a bundle.
  external: ["jq-wasm", "@napi-rs/keyring"],
  output: {
    ...output,
    entryFileNames: "chunks/[name]-[hash].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    codeSplitting: { groups: chunks, includeDependenciesRecursively: false },
  },
});
const { fileName } = program.output.find(({ isEntry }) => isEntry);
await build({
  ...shared,
  input: { main: "src/main.ts" },
  transform: { define: { __VERSION__: JSON.stringify(version), __RUN__: JSON.stringify(fileName) } },
  output: { ...output, entryFileNames: "[name].js" },
});

// Swapped in whole: a program that starts meanwhile finds the old bundle or the new one.
if (existsSync(target)) renameSync(target, stale);
renameSync(fresh, target);
rmSync(stale, { recursive: true, force: true });
