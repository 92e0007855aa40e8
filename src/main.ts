import { join } from "node:path";
import { cacheFolder } from "./app/cache-folder.ts";
import { chunksOf } from "./app/code-cache.ts";
import { keptHelp } from "./app/kept-help.ts";

declare const __VERSION__: string;
/** Where the build put run.ts, seen from here. */
declare const __RUN__: string;

/** Arguments in, exit code out. Only this sees every error; only `bin` ends the process. */
export async function main(host: NodeJS.Process): Promise<number> {
  const argv = host.argv.slice(2);
  // The answers that need nothing of the program.
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) return print(host, `${__VERSION__}\n`);
  const help = keptHelp(host, argv, join(__dirname, "help"));
  if (help !== undefined) return print(host, help);
  // A help text is there sooner than what speeds up everything else.
  const asksHelp =
    argv.length === 0 ||
    argv[0] === "help" ||
    (argv[0] !== "__complete" && (argv.includes("--help") || argv.includes("-h")));
  if (!asksHelp) quietWasmTiering(host);
  const chunks = chunksOf(host, asksHelp ? undefined : codeFolder(host));
  const { run } = chunks.require(join(__dirname, __RUN__)) as typeof import("./app/run.ts");
  const code = await run(host, argv, __VERSION__);
  if (code === 0) chunks.keep();
  return code;
}

/**
 * On Node 20 the exit waits some 140 ms for WebAssembly (undici's parser) that is being recompiled and never used.
 * Compiled code is kept for the flags in force, so that this comes before any is loaded.
 */
function quietWasmTiering(host: NodeJS.Process): void {
  if (!host.versions.node.startsWith("20.")) return;
  host.getBuiltinModule("node:v8").setFlagsFromString("--wasm-tiering-budget=100000000");
}

function codeFolder({ env, version, arch }: NodeJS.Process): string | undefined {
  const folder = env.NODE_DISABLE_COMPILE_CACHE ? undefined : cacheFolder(env);
  return folder && join(folder, "code", `${version}-${arch}`);
}

/** As any result: a reader that has gone is no failure, a full disk is one. */
function print(host: NodeJS.Process, text: string): Promise<number> {
  return new Promise((resolve) => {
    host.stdout.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") return resolve(0);
      host.stderr.write(`error: the output was not written in full\ncause: ${error.message}\n`);
      resolve(12);
    });
    host.stdout.write(text, (error) => {
      if (!error) resolve(0);
    });
  });
}
