declare const __VERSION__: string;

/** Arguments in, exit code out. Only this sees every error; only `bin` ends the process. */
export async function main(host: NodeJS.Process): Promise<number> {
  const argv = host.argv.slice(2);
  // The one answer that needs nothing of the program.
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    return printVersion(host);
  }
  const { run } = await import("./run.ts");
  return run(host, argv, __VERSION__);
}

/** As any result: a reader that has gone is no failure, a full disk is one. */
function printVersion(host: NodeJS.Process): Promise<number> {
  return new Promise((resolve) => {
    host.stdout.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") return resolve(0);
      host.stderr.write(`error: the output was not written in full\ncause: ${error.message}\n`);
      resolve(12);
    });
    host.stdout.write(`${__VERSION__}\n`, (error) => {
      if (!error) resolve(0);
    });
  });
}
