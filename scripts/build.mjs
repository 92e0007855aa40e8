// Bundles src/ into dist/: CommonJS, split by dynamic import, so that a command loads its own chunk and no other.
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { build } from "rolldown";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const root = new URL("..", import.meta.url).pathname;

/** Every list of paths below, to be held against what the build really met. */
const lists = [];

// Parts of undici that plain HTTP/1.1 requests never run: 180 kB, and Node's http2, to load on every request.
const unused = used("undici/lib/", ["web/fetch/body.js", "dispatcher/client-h2.js", "llhttp/llhttp-wasm.js"]);
// What conf loads for schemas and migrations: the profiles are checked by our own reader.
const unusedByConf = used("node_modules/", ["ajv/dist/2020.js", "ajv-formats/dist/index.js", "semver/index.js"]);
const withoutUnused = {
  name: "without-unused-parts",
  load: (id) => ([unused, unusedByConf].some((list) => list.find(id)) ? "module.exports = {};" : undefined),
};
/** What packages ask for that the program decides otherwise. */
const inPlace = [
  // Whether there is color is decided by our rules, for each stream.
  { name: "#supports-color", importer: "chalk/", code: "export default { stdout: false, stderr: false };" },
  // One measure for all: what ours calls four columns wide must not be five to a package.
  {
    name: "string-width",
    importer: "cli-table3/",
    code: `const exact = require("fast-string-width").default;
      module.exports = (text) => (/^[ -~]*$/.test(text) ? text.length : exact(text));`,
  },
  { name: "string-width", importer: "ora/", code: 'export { default } from "fast-string-width";' },
  // Signals are ours: this would end the process before a command has put things in order. What a killed process left
  // half written, the next change sweeps.
  { name: "when-exit", importer: "atomically/", code: "export default () => () => {};" },
];
const importers = used(
  "node_modules/",
  inPlace.map(({ importer }) => importer),
);
const placed = "\0in-place:";
const withOwnParts = {
  name: "with-own-parts",
  resolveId(name, importer) {
    if (importer === undefined || !inPlace.some((each) => each.name === name)) return undefined;
    const found = importers.find(importer);
    const index = inPlace.findIndex((each) => each.name === name && each.importer === found);
    return index < 0 ? undefined : `${placed}${index}`;
  },
  load: (id) => (id.startsWith(placed) ? inPlace[Number(id.slice(placed.length))].code : undefined),
};
/** Single places in packages. */
const places = [
  // Modules of Node's that are asked for at start-up and never used here, each a few milliseconds to load: for
  // subcommands that are programs of their own; for a check of what kind of stream a body is; for a limit on headers.
  { file: "commander/lib/command.js", code: "require('node:child_process')", instead: "({})" },
  { file: "undici/lib/core/util.js", code: "require('node:http')", instead: "({ IncomingMessage: class {} })" },
  { file: "undici/lib/dispatcher/client.js", code: "require('node:http')", instead: "({ maxHeaderSize: 16384 })" },
  // For colors of borders; there are none.
  { file: "cli-table3/src/cell.js", code: "require('@colors/colors/safe')", instead: "{}" },
  // In a terminal that a snap opened, conf would write the profiles in place: a killed process would lose them.
  { file: "conf/dist/source/index.js", code: "process.env.SNAP", instead: "false" },
  // A disk that is nearly full silently writes only a part, which this would store.
  {
    file: "atomically/dist/index.js",
    code: "fs.retry.writeSync(retryOptions)(fd, data, 0, options.encoding || DEFAULT_ENCODING)",
    instead: 'process.getBuiltinModule("node:fs").writeFileSync(fd, data)',
  },
  // Its WebAssembly is a part of the bundle (src/app/parts.ts), and no file of a package's.
  { file: "jq-wasm/dist/index.mjs", code: "fileURLToPath(import.meta.url)", instead: '"."' },
  { file: "jq-wasm/dist/index.mjs", code: "await readFile(wasmPath)", instead: 'require("jq.wasm")' },
  // The events of a large file, as objects of eleven fields, would take most of the memory (src/state/packed-events.ts).
  { file: "js-yaml/dist/js-yaml.mjs", code: "events: []", instead: "events: options?.events ?? []" },
  {
    file: "js-yaml/dist/js-yaml.mjs",
    code: "state.events[fallbackState.eventsLength]",
    instead: "state.events.at(fallbackState.eventsLength)",
  },
  {
    file: "js-yaml/dist/js-yaml.mjs",
    code: "state.events[documentEventIndex]",
    instead: "state.events.at(documentEventIndex)",
  },
];
const changed = used("node_modules/", [...new Set(places.map(({ file }) => file))]);
const withChanges = {
  name: "with-changes",
  transform(text, id) {
    const file = changed.find(id);
    if (file === undefined) return undefined;
    let result = text;
    for (const { code, instead } of places.filter((each) => each.file === file)) {
      if (!result.includes(code)) throw new Error(`${file} does not contain ${code} any more`);
      result = result.replaceAll(code, instead);
    }
    return result;
  },
};

/**
 * What every start needs, and what every request needs, in one file each: on a cold start finding and reading a file
 * costs more than the code in it. What few commands need (\`rare\`) stays in chunks of its own.
 */
const rare = used("src/", [
  "terminal/table.ts",
  "terminal/grid.ts",
  "terminal/layout.ts",
  "terminal/packing.ts",
  "terminal/spinner.ts",
  "terminal/yaml-dump.ts",
  "api/transport/probe.ts",
  "api/transport/proxy.ts",
  "api/transport/tunnel.ts",
  "api/transport/tls.ts",
  "api/transport/decode.ts",
  "api/transport/sweep.ts",
  "node/http/",
  "node/names.ts",
  "node/beside.ts",
  "node/zip/",
  "node/stored.ts",
]);
const chunks = [
  chunk("shell", "", [
    "src/app/run.ts",
    "src/app/home.ts",
    "src/base/",
    "src/declare/",
    "src/host.ts",
    "src/commands/index.ts",
    "src/cli/ask-help.ts",
    "src/cli/help.ts",
    "src/cli/load.ts",
    "src/cli/topics.ts",
    "src/cli/words.ts",
    "src/config/location.ts",
    "src/api/field.ts",
    "src/api/endpoint.ts",
    "src/api/types.ts",
    "src/api/request.ts",
    "src/api/fate.ts",
    "src/api/endpoints/access-level.ts",
    "src/api/endpoints/scope.ts",
    "src/terminal/help.ts",
    "src/terminal/known-terminals.ts",
    "src/terminal/streams.ts",
    "src/terminal/style.ts",
    "src/terminal/sanitize.ts",
    "src/verbs/verbs.ts",
    "src/verbs/choose.ts",
    "src/verbs/shown.ts",
    "src/verbs/remove.ts",
    "src/verbs/bulk.ts",
    "src/verbs/tally.ts",
    "src/verbs/collected.ts",
    "src/verbs/print.ts",
    "src/verbs/confirm.ts",
    "src/verbs/deleted.ts",
    "src/verbs/lost.ts",
    "src/verbs/place.ts",
    "src/verbs/poll.ts",
  ]),
  chunk("completion", "src/", ["app/complete.ts", "completion/"]),
  chunk("parser", "", ["node_modules/commander/", "src/cli/"]),
  chunk("transport", "", ["node_modules/undici/", "src/api/transport/"]),
  chunk("engine", "src/", [
    "app/connections.ts",
    "app/wire.ts",
    "app/perform.ts",
    "app/view-of.ts",
    "api/endpoint.ts",
    "api/",
    "config/",
    "node/",
    "terminal/",
  ]),
];

function chunk(name, base, parts) {
  const own = used(base, parts);
  const isEndpoint = /src\/api\/endpoints\//;
  const test = (id) => {
    if (rare.find(id) !== undefined) return false;
    const part = own.find(id);
    // Endpoints travel with the commands that call them.
    return part !== undefined && !(part === "api/" && isEndpoint.test(id));
  };
  return { name, test };
}

/** Paths of files, and of folders with a slash at their end, that the build is to find; \`unmatched\` lists those it did not. */
function used(base, parts) {
  const found = new Set();
  const all = { base, parts, found };
  lists.push(all);
  return {
    find(id) {
      const path = id.replaceAll("\\", "/");
      const part = parts.find((each) => {
        const at = path.lastIndexOf(base + each);
        return at !== -1 && (each.endsWith("/") || at + base.length + each.length === path.length);
      });
      if (part !== undefined) found.add(part);
      return part;
    },
  };
}

function unmatched() {
  return lists.flatMap(({ base, parts, found }) => parts.filter((part) => !found.has(part)).map((part) => base + part));
}

/** The licenses of the packages that are in the bundle: theirs ask for that wherever a copy goes. */
function notices(output) {
  const ids = output.flatMap((chunk) => chunk.moduleIds ?? []);
  const folders = new Set(ids.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id) ?? []));
  const ofPackages = [...folders].sort().map((folder) => {
    const { name, version, licenses, ...rest } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    const license = rest.license ?? licenses?.map(({ type }) => type).join(", ");
    const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file));
    if (files.length === 0 && license === undefined) throw new Error(`${name} has no license`);
    const texts = files.map((file) => readFileSync(`${folder}/${file}`, "utf8").trim());
    return [`${name} ${version} (${license})`, ...texts].join("\n\n");
  });
  // Its package carries it compiled, and no word of its license.
  const ofJq = readFileSync(`${root}scripts/licenses/jq.txt`, "utf8").trim();
  return [...ofPackages, ofJq].join(`\n\n${"-".repeat(80)}\n\n`).concat("\n");
}

/** Chunks that need each other before either is ready would start with what is not there yet. */
function refuseCircles(output) {
  const imports = new Map(output.map(({ fileName, imports = [] }) => [fileName, imports]));
  const visit = (name, above) => {
    if (above.includes(name)) throw new Error(`chunks import each other: ${[...above, name].join(" -> ")}`);
    for (const each of imports.get(name) ?? []) visit(each, [...above, name]);
  };
  for (const name of imports.keys()) visit(name, []);
}

const target = `${root}dist`;
const fresh = `${root}dist-${process.pid}`;
const stale = `${root}dist-${process.pid}-old`;

/**
 * Chunks as src/app/code-cache.ts loads them: each is one function expression, in ASCII, so that V8 compiles the bytes as
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

const shared = {
  cwd: root,
  platform: "node",
  logLevel: "warn",
  // Paths are part of what is built, in comments: those of this tree, wherever its packages really are.
  resolve: { symlinks: false },
  onLog(level, log, print) {
    if (log.code === "UNRESOLVED_IMPORT") throw new Error("a package is not installed: run npm ci", { cause: log });
    print(level, log);
  },
};
const output = {
  dir: fresh,
  format: "cjs",
  // What is not bundled is loaded with `require`: scripts from a code cache have no `import()`.
  dynamicImportInCjs: false,
  // Where nothing compiled is kept, V8 reads them at every start. The licenses are in THIRD_PARTY.txt.
  comments: false,
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
};

const program = await build({
  ...shared,
  input: { run: "src/app/run.ts" },
  plugins: [withOwnParts, withoutUnused, withChanges, asFunctions],
  preserveEntrySignatures: "allow-extension",
  // A native addon has to be a file of its own; the WebAssembly of jq is read when it is asked for.
  external: ["@napi-rs/keyring", "jq.wasm"],
  output: {
    ...output,
    entryFileNames: "chunks/[name]-[hash].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    codeSplitting: { groups: chunks, includeDependenciesRecursively: false },
  },
});
refuseCircles(program.output);
const missed = unmatched();
if (missed.length > 0) throw new Error(`no module is ${missed.join(", ")}: correct the lists in scripts/build.mjs`);
const { fileName } = program.output.find(({ isEntry }) => isEntry);
await build({
  ...shared,
  input: { main: "src/main.ts" },
  transform: { define: { __VERSION__: JSON.stringify(version), __RUN__: JSON.stringify(fileName) } },
  output: { ...output, entryFileNames: "[name].js" },
});

// The help of every command as data: `--help` is to be there as soon as Node is.
const help = await build({
  ...shared,
  input: { pages: "src/cli/help-pages.ts" },
  external: ["jq-wasm", "@napi-rs/keyring"],
  output: { dir: `${fresh}/help`, format: "cjs", entryFileNames: "[name].cjs", codeSplitting: false },
});
const { helpPages } = createRequire(import.meta.url)(`${fresh}/help/${help.output[0].fileName}`);
rmSync(`${fresh}/help/${help.output[0].fileName}`);
for (const [name, pages] of Object.entries(await helpPages())) {
  writeFileSync(`${fresh}/help/${name === "" ? "help" : `help-${name}`}.json`, JSON.stringify(pages));
}

copyFileSync(createRequire(import.meta.url).resolve("jq-wasm/jq.wasm"), `${fresh}/jq.wasm`);
writeFileSync(`${fresh}/THIRD_PARTY.txt`, notices(program.output));

// Swapped in whole: a program that starts meanwhile finds the old bundle or the new one.
if (existsSync(target)) renameSync(target, stale);
renameSync(fresh, target);
rmSync(stale, { recursive: true, force: true });
