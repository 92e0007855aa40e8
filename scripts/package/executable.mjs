// A single executable: Node with the program inside. The files of dist/ become its assets, byte for byte as npm gets them
// (src/app/embedded.ts reads them), and with them, where this machine can run the target, what V8 makes of the program's
// code: so the first start of all needs to compile as little as the hundredth.
import { chmodSync, cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "rolldown";
import { root } from "../ready.mjs";
import { CannotBuild, run, version } from "./base.mjs";
import { keyringOf, nodeOf, ownTarget, targets } from "./fetched.mjs";

/**
 * V8 starts its hash tables from a random number, which shows in the code that it writes down. This flag, unlike most, does
 * not keep a V8 without it from taking that code.
 */
const seed = "--random-seed=1";

/** Builds the executable of a target and gives its path. */
export async function executable(target, work) {
  if (targets[ownTarget] === undefined) throw new CannotBuild(`no Node of ${ownTarget} is known, which would build it`);
  const folder = join(work, target);
  const assets = join(folder, "assets");
  const node = await nodeOf(target, work);
  const builder = await nodeOf(ownTarget, work);
  gather(assets, await keyringOf(target, work));
  const main = await entryIn(work);
  if (target === ownTarget) {
    const compile = join(root, "scripts", "package", "compile.cjs");
    await run(node, [seed, compile, join(assets, "chunks"), join(assets, "compiled", "chunks")]);
  }
  const output = join(folder, `forgectl${target.startsWith("win") ? ".exe" : ""}`);
  const config = join(folder, "sea.json");
  const all = readdirSync(assets, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const paths = all.map((each) => join(each.parentPath, each.name)).sort();
  writeFileSync(
    config,
    JSON.stringify({
      // Relative, since this path goes into the executable.
      main: relative(work, main),
      executable: node,
      output,
      assets: Object.fromEntries(paths.map((path) => [nameOf(path.slice(assets.length + 1)), path])),
      disableExperimentalSEAWarning: true,
      // Compiled code is for one kind of processor and one V8; another target's own cache does that from the second start.
      useCodeCache: target === ownTarget,
    }),
  );
  await run(builder, [seed, "--build-sea", config], { cwd: work });
  chmodSync(output, 0o755);
  return output;
}

function gather(assets, addon) {
  mkdirSync(assets, { recursive: true });
  for (const part of ["chunks", "help", "jq.wasm"]) {
    cpSync(join(root, "dist", part), join(assets, part), { recursive: true });
  }
  cpSync(addon, join(assets, "keyring.node"));
}

const entries = new Map();

/** bin/executable.ts as the one script that an executable starts with, the same for all targets of a build. */
function entryIn(work) {
  if (!entries.has(work)) entries.set(work, entry(join(work, "main")));
  return entries.get(work);
}

/** It can load Node's own modules and assets. */
async function entry(folder) {
  const start = readdirSync(join(root, "dist", "chunks")).find((name) => name.startsWith("run-"));
  await build({
    cwd: root,
    input: { main: "bin/executable.ts" },
    platform: "node",
    logLevel: "warn",
    transform: { define: { __VERSION__: JSON.stringify(version), __RUN__: JSON.stringify(`chunks/${start}`) } },
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
