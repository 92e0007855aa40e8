// Whether a mutant compiles. One that does not is found by `npm run check`, whatever the tests say.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyProject } from "./tree.mjs";

/** The text that replaces a mutant's, in each form. */
const replacement = {
  statement: () => ";",
  element: () => "...[]",
  spread: () => "{}",
  expression: ({ after }) => `(${after})`,
};

/** A name that is no longer used is no error here: what a mutant removes was its only use. */
const flags = ["-p", ".", "--noUnusedLocals", "false", "--noUnusedParameters", "false"];

/** Compiles a `copy` of the project with one mutant at a time. Its function returns the first error, if any. */
export function compilerOf(root, copy) {
  let whole;
  return async ({ file, form, start, end, after }) => {
    whole ??= prepare(root, copy);
    await whole;
    const text = readFileSync(join(root, file), "utf8");
    const place = join(copy, file);
    writeFileSync(place, text.slice(0, start) + replacement[form]({ after }) + text.slice(end));
    const error = await firstError(root, copy);
    writeFileSync(place, text);
    return error;
  };
}

async function prepare(root, copy) {
  copyProject(root, copy);
  const error = await firstError(root, copy);
  if (error !== undefined) throw new Error(`the project does not compile: ${error}`);
}

function firstError(root, copy) {
  const compiler = spawn(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...flags], {
    cwd: copy,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  compiler.stdout.on("data", (part) => {
    output += part;
  });
  return new Promise((resolve) => {
    compiler.on("close", (code) => resolve(code === 0 ? undefined : output.split("\n")[0]));
  });
}
