import { createRequire } from "node:module";
import { dirname } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { Script, type ScriptOptions } from "node:vm";
import { type Parts, partsIn, wasm } from "../../src/app/parts.ts";
import type { main as Main } from "../../src/main.ts";

export interface Typed {
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  input?: string | Uint8Array | undefined;
}

/**
 * Runs the bundle as `bin/forgectl.js` does, in this process: a start takes a tenth of the time of a process. Its host
 * is this process except for what a command can detect: arguments, environment, folder, three streams that are not
 * terminals, and signals, which remain the test runner's own. The program's modules are evaluated once and keep nothing
 * of a run; the first run of each group of commands is a process of its own.
 *
 * @param all gets what is written to stdout and stderr, in its order
 */
export async function runInProcess({ args, env, cwd, input }: Typed, all: Buffer[] = []) {
  const stdout = collector(all);
  const stderr = collector(all);
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
    getBuiltinModule: (name: string) => ownModules[name] ?? process.getBuiltinModule(name as "node:os"),
  };
  const descriptors = Object.entries(values).map(([name, value]) => [name, { value }]);
  const host: NodeJS.Process = Object.create(process, Object.fromEntries(descriptors));
  const code: number | null = await main(host, parts);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

const bundle = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const load = createRequire(bundle);
const { main } = load(bundle) as { main: typeof Main };

/** The result of `make` for a name, made once. */
function memoize<T>(make: (name: string) => T): (name: string) => T {
  const made = new Map<string, T>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const value = make(name);
    made.set(name, value);
    return value;
  };
}

// Reading and compiling the files for each run would take half of its time.
const files = partsIn(dirname(bundle), process);
const readCached = memoize(files.read);
const parts: Parts = {
  ...files,
  read: readCached,
  compiled: memoize(files.compiled),
  require: (name) => (name === wasm ? readCached(wasm) : load(name)),
};
type Wrapper = (exports: object, require: (name: string) => unknown, module: { exports: object }) => void;
type Compiled = Pick<Script, "runInThisContext" | "cachedDataRejected">;
const scripts = new Map<string, Compiled>();

/** A chunk that is evaluated by the first run that needs it: that is most of what a run would cost. */
function evaluatedOnce(script: Script): Compiled {
  const evaluate: Wrapper = script.runInThisContext();
  let made: { exports: object } | undefined;
  const give: Wrapper = (exports, require, module) => {
    if (made !== undefined) module.exports = made.exports;
    else {
      made = module;
      evaluate(exports, require, module);
    }
  };
  return { cachedDataRejected: false, runInThisContext: () => give };
}

/** Modules that the program gets instead of Node's. */
const ownModules: Readonly<Record<string, unknown>> = {
  "node:tty": { isatty: () => false },
  "node:vm": {
    Script: function CachedScript(code: string, options: ScriptOptions & { filename: string }): Compiled {
      const script = scripts.get(options.filename) ?? evaluatedOnce(new Script(code, options));
      scripts.set(options.filename, script);
      return script;
    },
  },
};

/** Collects what is written to a stream, and in `all` what is written to any. */
function collector(all: Buffer[]) {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      all.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
