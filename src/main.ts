import { join } from "node:path";
import { chunksOf } from "./app/code-cache.ts";
import { keptHelp } from "./app/kept-help.ts";
import { cacheFolder } from "./app/own-folder.ts";
import { type Parts, partsIn } from "./app/parts.ts";

declare const __VERSION__: string;
/** Where the build put run.ts, seen from here. */
declare const __RUN__: string;

/**
 * Arguments in, exit code out. Only this sees every error; only `bin` ends the process.
 *
 * @param parts the rest of the program: the folder of this file, unless it is inside of an executable.
 */
export async function main(host: NodeJS.Process, parts: Parts = partsIn(__dirname)): Promise<number> {
  const argv = host.argv.slice(2);
  // The answers that need nothing of the program.
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) return print(host, `${__VERSION__}\n`);
  const help = keptHelp(host, argv, parts);
  if (help !== undefined) return print(host, help);
  // A help text is there sooner than what speeds up everything else.
  const asksHelp =
    argv.length === 0 ||
    argv[0] === "help" ||
    (argv[0] !== "__complete" && (argv.includes("--help") || argv.includes("-h")));
  if (!asksHelp) quietWasmTiering(host);
  const chunks = chunksOf(host, parts, asksHelp ? undefined : codeFolder(host));
  const { run } = chunks.require(__RUN__) as typeof import("./app/run.ts");
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

/** The user's own: Node's default for compiled code is a folder that all users of a machine share. */
function codeFolder(host: NodeJS.Process): string | undefined {
  if (host.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const folder = cacheFolder(host);
  return folder && join(folder, "code", `${host.version}-${host.arch}`);
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
