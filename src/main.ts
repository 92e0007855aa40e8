import { join } from "node:path";
import { chunksOf } from "./app/code-cache.ts";
import { cacheFolder } from "./app/own-folder.ts";
import { holdIfLasting, type Parts, partsIn } from "./app/parts.ts";
import { storedHelp } from "./app/stored-help.ts";
import { wholeWrites } from "./app/whole-writes.ts";

/** The program's own failure, as in src/base/errors.ts, which a short answer does not load. */
const failedCode = 70;

declare const __VERSION__: string;
/** Path of the bundled run.ts, relative to this file. */
declare const __RUN__: string;

/**
 * From arguments to exit code. `run` handles every error; only `bin` ends the process.
 *
 * @param parts the rest of the program: the folder of this file, unless it is embedded in an executable.
 */
export async function main(host: NodeJS.Process, parts: Parts = partsIn(__dirname, host)): Promise<number> {
  const argv = host.argv.slice(2);
  // Answers that need no other code.
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) return print(host, `${__VERSION__}\n`);
  const help = storedHelp(host, argv, parts);
  if (help !== undefined) return print(host, help);
  // A stored help page is printed before the code cache is opened.
  const asksHelp =
    argv.length === 0 ||
    argv[0] === "help" ||
    (argv[0] !== "__complete" && (argv.includes("--help") || argv.includes("-h")));
  const chunks = chunksOf(host, parts, asksHelp ? undefined : codeFolder(host));
  const cancel = holdIfLasting(parts);
  try {
    const { run } = chunks.require(__RUN__) as typeof import("./app/run.ts");
    const code = await run(host, argv, { version: __VERSION__, part: parts.read });
    if (code === 0) chunks.keep();
    return code;
  } catch (error) {
    host.stderr.write(`error: the program failed\ncause: ${error instanceof Error ? error.message : error}\n`);
    return failedCode;
  } finally {
    cancel();
  }
}

/** The user's own: Node's default for compiled code is a folder that all users of a machine share. */
function codeFolder(host: NodeJS.Process): string | undefined {
  if (host.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const folder = cacheFolder(host);
  return folder && join(folder, "code", `${host.version}-${host.arch}`);
}

/** A closed pipe is not a failure, as for any result; a full disk is. */
function print(host: NodeJS.Process, text: string): Promise<number> {
  return new Promise((resolve) => {
    const stdout = wholeWrites(host.stdout);
    stdout.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") return resolve(0);
      host.stderr.write(`error: the output was not written in full\ncause: ${error.message}\n`);
      resolve(12);
    });
    stdout.write(text, (error) => {
      if (!error) resolve(0);
    });
  });
}
