// Bundles src/ into dist/: CommonJS, split by dynamic import, so that a command loads only its own chunk.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "rolldown";
import { patches } from "./patches.mjs";
import { buildVersion } from "./version.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const version = buildVersion(root);

/** All lists of paths below, to be compared with the modules that the build found. */
const lists = [];

const patched = used("node_modules/", [...new Set(patches.map(({ file }) => file))]);
const withPatches = {
  name: "with-patches",
  transform(text, id) {
    const file = patched.find(id);
    if (file === undefined) return undefined;
    let result = text;
    for (const { code, instead } of patches.filter((each) => each.file === file)) {
      if (!result.includes(code)) throw new Error(`${file} no longer contains ${code}`);
      result = result.replaceAll(code, instead);
    }
    return result;
  },
};

/**
 * Code for every start and code for every request, in one file each: on a cold start, opening and reading a file costs
 * more than the code in it. Code that few commands need (`rare`) stays in separate chunks.
 */
const rare = used("src/", [
  "terminal/table/index.ts",
  "terminal/table/grid.ts",
  "terminal/table/column-widths.ts",
  "terminal/render/packed-texts.ts",
  "terminal/interaction/spinner.ts",
  "terminal/yaml-dump.ts",
  "api/place.ts",
  "api/transport/probe.ts",
  "api/transport/proxy.ts",
  "api/transport/tunnel.ts",
  "api/transport/tls.ts",
  "api/transport/decode.ts",
  "node/http/headers.ts",
  "node/http/relay.ts",
  "node/http/server.ts",
  "node/names.ts",
  "node/detached-process.ts",
  "node/zip/",
  "node/json-store.ts",
]);
const chunks = [
  chunk("shell", "", [
    "src/app/run.ts",
    "src/app/home.ts",
    "src/app/whole-writes.ts",
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
    "src/api/field-options.ts",
    "src/api/endpoint.ts",
    "src/api/api.ts",
    "src/api/request.ts",
    "src/api/outcome.ts",
    "src/api/unseen-targets.ts",
    "src/api/endpoints/access-level.ts",
    "src/api/endpoints/scope.ts",
    "src/terminal/help-text.ts",
    "src/terminal/job-log.ts",
    "src/terminal/known-terminals.ts",
    "src/terminal/streams.ts",
    "src/terminal/style.ts",
    "src/terminal/sanitize.ts",
    "src/terminal/signs.ts",
    "src/verbs/verbs.ts",
    "src/verbs/choose.ts",
    "src/verbs/resource-view.ts",
    "src/verbs/remove.ts",
    "src/jobs/bulk.ts",
    "src/jobs/tally.ts",
    "src/verbs/row-collection.ts",
    "src/verbs/print.ts",
    "src/verbs/confirm.ts",
    "src/verbs/deletion-view.ts",
    "src/verbs/lost-answer-check.ts",
    "src/api/absence.ts",
    "src/verbs/place.ts",
    "src/verbs/poll.ts",
  ]),
  chunk("completion", "src/", ["app/complete.ts", "completion/"]),
  chunk("parser", "", ["node_modules/commander/", "src/cli/"]),
  chunk("transport", "", ["node_modules/undici/", "src/api/transport/"]),
  chunk("engine", "src/", [
    "app/connections.ts",
    "app/machine.ts",
    "app/wire.ts",
    "app/working-folder.ts",
    "app/admission.ts",
    "app/perform.ts",
    "app/view-of.ts",
    "app/same-file.ts",
    "app/same-instance.ts",
    "verbs/instance-flags.ts",
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
    // Endpoints are bundled with the commands that call them.
    return part !== undefined && !(part === "api/" && isEndpoint.test(id));
  };
  return { name, test };
}

/** Paths of files, and of folders with a trailing slash, that the build must find; `unmatched` lists missing ones. */
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

/** The licenses of the bundled packages, which must accompany every copy. */
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
  // Its package contains it compiled, but without its license.
  const ofJq = readFileSync(`${root}scripts/licenses/jq.txt`, "utf8").trim();
  return [...ofPackages, ofJq].join(`\n\n${"-".repeat(80)}\n\n`).concat("\n");
}

/** Throws on circular chunks: one would run before the other has defined its exports. */
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
 * Chunks for src/app/code-cache.ts: each is one function expression, in ASCII, so that V8 compiles the file's bytes
 * directly.
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
  // Comments in the output contain paths: always those of this tree, even if its packages are symbolic links.
  resolve: { symlinks: false },
  onLog(level, log, print) {
    if (log.code === "UNRESOLVED_IMPORT") throw new Error("a package is not installed: run npm ci", { cause: log });
    print(level, log);
  },
};
const output = {
  dir: fresh,
  format: "cjs",
  // Modules that are not bundled are loaded with `require`: scripts from a code cache have no `import()`.
  dynamicImportInCjs: false,
  // Without a code cache, V8 would read them at every start. The licenses are in THIRD_PARTY.txt.
  comments: false,
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
};

const program = await build({
  ...shared,
  input: { run: "src/app/run.ts" },
  plugins: [withPatches, asFunctions],
  preserveEntrySignatures: "allow-extension",
  // A native addon must be a separate file; the WebAssembly of jq is read on first use.
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
if (missed.length > 0)
  throw new Error(`no module matches ${missed.join(", ")}: correct the lists in scripts/build.mjs`);
const { fileName } = program.output.find(({ isEntry }) => isEntry);
await build({
  ...shared,
  input: { main: "src/main.ts" },
  transform: { define: { __VERSION__: JSON.stringify(version), __RUN__: JSON.stringify(fileName) } },
  output: { ...output, entryFileNames: "[name].js" },
});

// The chunks compiled by this Node, so that its first start need not compile them (src/app/code-cache.ts).
const { execPath, versions, arch } = process;
const code = `${fresh}/compiled/${versions.v8}-${arch}/chunks`;
execFileSync(execPath, ["--random-seed=1", `${root}scripts/compile.cjs`, `${fresh}/chunks`, code]);

// The help of every command as data, so that `--help` takes no longer than the start of Node.
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

// The man pages and the guides, for `man` and `guide`.
const texts = (folder, ends) =>
  Object.fromEntries(
    readdirSync(`${root}${folder}`)
      .filter((name) => name.endsWith(ends) && name !== "README.md")
      .sort()
      .map((name) => [name.slice(0, -ends.length), readFileSync(`${root}${folder}/${name}`, "utf8")]),
  );
const pages = JSON.stringify({ manual: texts("man", ".1"), guides: texts("docs", ".md") });
writeFileSync(`${fresh}/pages.json.gz`, gzipSync(pages, { level: 9 }));

copyFileSync(createRequire(import.meta.url).resolve("jq-wasm/jq.wasm"), `${fresh}/jq.wasm`);
writeFileSync(`${fresh}/THIRD_PARTY.txt`, notices(program.output));
// The chunk of src/app/run.ts, for the single executable.
writeFileSync(`${fresh}/entry.txt`, fileName);
// What a later build compares with its own.
writeFileSync(`${fresh}/version.txt`, `${version}\n`);

// Replaced atomically: a program started meanwhile finds either the old bundle or the new one.
if (existsSync(target)) renameSync(target, stale);
renameSync(fresh, target);
rmSync(stale, { recursive: true, force: true });
