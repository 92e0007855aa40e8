declare const __VERSION__: string;

/** Arguments in, exit code out. Only this sees every error; only `bin` ends the process. */
export async function main(host: NodeJS.Process): Promise<number> {
  const argv = host.argv.slice(2);
  // The one answer that needs nothing of the program.
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    host.stdout.write(`${__VERSION__}\n`);
    return 0;
  }
  const { run } = await import("./run.ts");
  return run(host, argv, __VERSION__);
}
