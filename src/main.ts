import { isAbsolute, join } from "node:path";
import { chunksOf } from "./app/code-cache.ts";
import { keptHelp } from "./app/kept-help.ts";

declare const __VERSION__: string;
/** Path of the bundled run.ts, relative to this file. */
declare const __RUN__: string;

/** From arguments to exit code. Every error is handled here; only `bin` ends the process. */
export async function main(host: NodeJS.Process): Promise<number> {
  const argv = host.argv.slice(2);
  // Answers that need no other code.
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) return print(host, `${__VERSION__}\n`);
  const help = keptHelp(host, argv, join(__dirname, "help"));
  if (help !== undefined) return print(host, help);
  // A stored help page is printed before the code cache is opened.
  const asksHelp =
    argv.length === 0 ||
    argv[0] === "help" ||
    (argv[0] !== "__complete" && (argv.includes("--help") || argv.includes("-h")));
  if (!asksHelp) quietWasmTiering(host);
  const chunks = chunksOf(host, asksHelp ? undefined : cacheFolder(host));
  const { run } = chunks.require(join(__dirname, __RUN__)) as typeof import("./app/run.ts");
  const code = await run(host, argv, __VERSION__);
  if (code === 0) chunks.keep();
  return code;
}

/**
 * On Node 20 the exit waits some 140 ms for the recompilation of WebAssembly (undici's parser) that is never used.
 * V8's cache depends on its flags, so this must run before any code is loaded.
 */
function quietWasmTiering(host: NodeJS.Process): void {
  if (!host.versions.node.startsWith("20.")) return;
  host.getBuiltinModule("node:v8").setFlagsFromString("--wasm-tiering-budget=100000000");
}

/**
 * Private to the user: Node's default folder for compiled code is shared by all users of a machine. A relative path would
 * depend on the working directory.
 */
function cacheFolder({ env, version, arch }: NodeJS.Process): string | undefined {
  if (env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const caches = [env.XDG_CACHE_HOME, env.LOCALAPPDATA, env.HOME && join(env.HOME, ".cache")];
  const folder = caches.find((path) => path && isAbsolute(path));
  return folder && join(folder, "forgectl", "code", `${version}-${arch}`);
}

/** As for any result: a closed pipe is not a failure, a full disk is. */
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
