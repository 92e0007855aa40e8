// Bundles src/ into dist/: CommonJS, split by dynamic import, so that a command loads its own chunk and no other.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { build } from "rolldown";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const root = new URL("..", import.meta.url).pathname;

/** Every list of paths below, to be held against what the build really met. */
const lists = [];

// Parts of undici that plain HTTP/1.1 requests never run: 180 kB, and Node's http2, to load on every request.
const unused = used("undici/lib/", ["web/fetch/body.js", "dispatcher/client-h2.js", "llhttp/llhttp-wasm.js"]);
const withoutUnusedUndici = {
  name: "without-unused-undici",
  load: (id) => (unused.find(id) === undefined ? undefined : "module.exports = {};"),
};
// Modules of Node's that are asked for at start-up and never used here, each a few milliseconds to load.
const needless = [
  // For subcommands that are programs of their own; there are none.
  { file: "commander/lib/command.js", module: "node:child_process", instead: "{}" },
  // For a check of what kind of stream a body is, and for Node's limit on headers.
  { file: "undici/lib/core/util.js", module: "node:http", instead: "{ IncomingMessage: class {} }" },
  { file: "undici/lib/dispatcher/client.js", module: "node:http", instead: "{ maxHeaderSize: 16384 }" },
];
const replaced = used(
  "",
  needless.map(({ file }) => file),
);
const withoutNeedless = {
  name: "without-needless-modules",
  transform(code, id) {
    const change = needless.find(({ file }) => file === replaced.find(id));
    if (change === undefined) return undefined;
    const call = `require('${change.module}')`;
    if (!code.includes(call)) throw new Error(`${change.file} does not ask for ${change.module} any more`);
    return code.replace(call, `(${change.instead})`);
  },
};

/**
 * What every start needs, and what every request needs, in one file each: on a cold start finding and reading a file
 * costs more than the code in it. What few commands need (\`rare\`) stays in chunks of its own.
 */
const rare = used("src/", [
  "terminal/table.ts",
  "terminal/layout.ts",
  "terminal/yaml-dump.ts",
  "api/transport/proxy.ts",
  "api/transport/tunnel.ts",
  "api/transport/tls.ts",
  "api/transport/decode.ts",
  "api/transport/sweep.ts",
  "node/zip/",
]);
const chunks = [
  chunk("shell", "", [
    "src/app/run.ts",
    "src/base/",
    "src/declare/",
    "src/host.ts",
    "src/commands/index.ts",
    "src/cli/ask-help.ts",
    "src/cli/help.ts",
    "src/cli/load.ts",
    "src/cli/topics.ts",
    "src/cli/words.ts",
    "src/api/field.ts",
    "src/api/endpoint.ts",
    "src/api/types.ts",
    "src/api/request.ts",
    "src/api/fate.ts",
    "src/api/endpoints/access-level.ts",
    "src/api/endpoints/scope.ts",
    "src/terminal/streams.ts",
    "src/terminal/sanitize.ts",
    "src/verbs/verbs.ts",
    "src/verbs/choose.ts",
    "src/verbs/shown.ts",
    "src/verbs/remove.ts",
    "src/verbs/bulk.ts",
    "src/verbs/confirm.ts",
    "src/verbs/deleted.ts",
    "src/verbs/lost.ts",
    "src/verbs/place.ts",
    "src/verbs/poll.ts",
  ]),
  chunk("parser", "", ["node_modules/commander/", "src/cli/"]),
  chunk("transport", "", ["node_modules/undici/", "src/api/transport/"]),
  chunk("engine", "src/", [
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
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, licenses, ...rest } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
      const license = rest.license ?? licenses?.map(({ type }) => type).join(", ");
      const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file));
      if (files.length === 0 && license === undefined) throw new Error(`${name} has no license`);
      const texts = files.map((file) => readFileSync(`${folder}/${file}`, "utf8").trim());
      return [`${name} ${version} (${license})`, ...texts].join("\n\n");
    })
    .join(`\n\n${"-".repeat(80)}\n\n`)
    .concat("\n");
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
  input: { run: "src/app/run.ts" },
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

writeFileSync(`${fresh}/THIRD_PARTY.txt`, notices(program.output));

// Swapped in whole: a program that starts meanwhile finds the old bundle or the new one.
if (existsSync(target)) renameSync(target, stale);
renameSync(fresh, target);
rmSync(stale, { recursive: true, force: true });
