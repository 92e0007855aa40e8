// A single executable: Node with the program inside. The files of dist/ become its assets, identical to those in the
// npm package (src/app/embedded-files.ts reads them). If this machine can run the target, V8's compiled code is
// included, so that even the first start compiles little.
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "rolldown";
import { root } from "../ready.mjs";
import { CannotBuild, run, version } from "./base.mjs";
import { keyringOf, nodeOf, ownTarget, targets } from "./fetched.mjs";

/**
 * V8 seeds its hash tables randomly, which changes the compiled code. Unlike most flags, this one does not prevent a V8
 * without it from accepting that code.
 */
const seed = "--random-seed=1";

/**
 * The size of V8's space for young objects in MiB. Its default lets a plan of 5,000 projects grow to 205 MiB, where 151
 * are enough in the same time. V8 accepts compiled code only with the same flag.
 */
const youngSpace = "--max-semi-space-size=4";

/**
 * Takes the place of OPENSSL_CONF, whose file can name modules: they would be loaded at the start, or end it with an
 * exit code of Node's. A file that does not exist, as on Windows, is ignored.
 */
const withoutModules = "--openssl-config=/dev/null";

/** A signal would open Node's debugger, through which each user of the machine can run code as this one. */
const withoutDebugger = "--disable-sigusr1";

/**
 * Ends Node's own options: it would look for `--env-file` in everything that was typed, in the text of a flag too, read
 * the file, and end with an exit code of its own if there is none. It looks for `--experimental-config-file` behind
 * this, too, and reads that file, but nothing in it is run: src/base/node-words.ts.
 */
const endOfOptions = "--";

/** Builds the executable of a target and returns its path. */
export async function executable(target, work) {
  if (targets[ownTarget] === undefined) throw new CannotBuild(`there is no Node for ${ownTarget} to build it with`);
  const folder = join(work, target);
  const assets = join(folder, "assets");
  const node = await nodeOf(target);
  const builder = await nodeOf(ownTarget);
  gather(assets, await keyringOf(target));
  const main = await entryIn(work);
  if (target === ownTarget) {
    const compile = join(root, "scripts", "compile.cjs");
    await run(node, [seed, youngSpace, compile, join(assets, "chunks"), join(assets, "compiled", "chunks")]);
  }
  const output = join(folder, `forgectl${target.startsWith("win") ? ".exe" : ""}`);
  const config = join(folder, "sea.json");
  const all = readdirSync(assets, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const paths = all.map((each) => join(each.parentPath, each.name)).sort();
  writeFileSync(
    config,
    JSON.stringify({
      // Relative, because this path is stored in the executable.
      main: relative(work, main),
      executable: node,
      output,
      assets: Object.fromEntries(paths.map((path) => [nameOf(path.slice(assets.length + 1)), path])),
      disableExperimentalSEAWarning: true,
      // NODE_OPTIONS is meant for other programs: it would load their modules here, or end a start with exit codes that
      // mean something else in this program.
      execArgvExtension: "none",
      execArgv: [youngSpace, withoutModules, withoutDebugger, endOfOptions],
      // Compiled code fits one processor type and V8 version; other targets use their own cache from the second start
      // on.
      useCodeCache: target === ownTarget,
    }),
  );
  await run(builder, [seed, youngSpace, "--build-sea", config], { cwd: work });
  chmodSync(output, 0o755);
  return output;
}

function gather(assets, addon) {
  mkdirSync(assets, { recursive: true });
  for (const part of ["chunks", "help", "jq.wasm", "pages.json.gz"]) {
    cpSync(join(root, "dist", part), join(assets, part), { recursive: true });
  }
  cpSync(addon, join(assets, "keyring.node"));
}

const entries = new Map();

/** The bundled entry of a build, which is the same for all targets. */
function entryIn(work) {
  if (!entries.has(work)) entries.set(work, entry(join(work, "main")));
  return entries.get(work);
}

/** Bundles bin/executable.ts into the single script of an executable, which can load only Node's modules and assets. */
async function entry(folder) {
  const start = readFileSync(join(root, "dist", "entry.txt"), "utf8");
  await build({
    cwd: root,
    input: { main: "bin/executable.ts" },
    platform: "node",
    logLevel: "warn",
    transform: { define: { __VERSION__: JSON.stringify(version), __RUN__: JSON.stringify(start) } },
    output: {
      dir: folder,
      format: "cjs",
      dynamicImportInCjs: false,
      entryFileNames: "[name].js",
      minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
    },
  });
  return join(folder, "main.js");
}

function nameOf(path) {
  return path.replaceAll("\\", "/");
}
