import { createRequire } from "node:module";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { main as Main } from "../../src/main.ts";

export interface Typed {
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  input?: string | Uint8Array | undefined;
}

/**
 * Runs the bundle as `bin/forgectl.js` does, in this process: a start takes a quarter of the time of a process. Its
 * host is this process except for what a command can detect: arguments, environment, folder, three streams that are not
 * terminals, and signals, which remain the test runner's own. Each run loads the program's modules again.
 */
export async function runInProcess({ args, env, cwd, input }: Typed) {
  const stdout = collector();
  const stderr = collector();
  // A process's environment has no undefined values.
  const defined = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
  const values = {
    argv: [process.execPath, "forgectl", ...args],
    env: defined,
    cwd: () => cwd,
    stdin: Readable.from(input === undefined ? [] : [Buffer.from(input)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    on: () => host,
    off: () => host,
    exit: (code: number) => {
      throw new Error(`the program ended the process, with ${code}`);
    },
    getBuiltinModule: (name: string) =>
      name === "node:tty" ? { isatty: () => false } : process.getBuiltinModule(name as "node:os"),
  };
  const descriptors = Object.entries(values).map(([name, value]) => [name, { value }]);
  const host: NodeJS.Process = Object.create(process, Object.fromEntries(descriptors));
  const { main } = createRequire(import.meta.url)(bundle) as { main: typeof Main };
  const code: number | null = await main(host);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

const bundle = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

function collector() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
