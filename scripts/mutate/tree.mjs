// A copy of the project whose sources contain all mutants, switched off: built once for all of them, and so that the
// clone itself stays as it is.
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { instrument } from "./instrument.mjs";
import { mutantsOf } from "./mutants.mjs";

const rooms = ["api", "jobs", "verbs", "state", "transfer"];
/** Types only, and sentences for a page of the documentation. */
const withoutMutants = /\.d\.ts$|^src\/api\/differences\.ts$/;
const notCopied = /^(?:\.git|node_modules|build|out|coverage|dist.*|.*\.log)$/;

/** All mutants, by file; their order numbers them. */
export function allMutants(root) {
  return rooms
    .flatMap((room) => [...filesBelow(root, `src/${room}`)].sort())
    .filter((file) => file.endsWith(".ts") && !withoutMutants.test(file))
    .map((file) => ({ file, mutants: mutantsOf(file, readFileSync(join(root, file), "utf8")) }));
}

/**
 * Brings the copy in `folder` up to date, and builds it if something besides tests has changed. `select(mode, value)`
 * says what its processes do from then on: `mutant` and its number, `cover` and a file, or nothing.
 */
export function prepareTree(root, folder, perFile) {
  const tree = join(folder, "tree");
  const switchPath = join(folder, "switch.cjs");
  mkdirSync(folder, { recursive: true });
  copyFileSync(new URL("switch.cjs", import.meta.url), switchPath);
  const select = (mode = "none", value = "") => writeFileSync(join(folder, "active"), `${mode}\n${value}`);
  select();

  let first = 0;
  const texts = new Map();
  for (const { file, mutants } of perFile) {
    texts.set(file, Buffer.from(instrument(readFileSync(join(root, file), "utf8"), mutants, { first, switchPath })));
    first += mutants.length;
  }
  const changed = copyProject(root, tree, texts);
  const isStale = changed.some((file) => !file.startsWith("test/"));
  if (existsSync(join(tree, "scripts/build.mjs")) && (isStale || !existsSync(join(tree, "dist")))) build(tree);
  return { folder, tree, select };
}

/** Brings a copy of the project up to date, with these texts in place of its files'. Returns what has changed. */
export function copyProject(root, copy, texts = new Map()) {
  mkdirSync(copy, { recursive: true });
  const files = new Set(filesBelow(root, "."));
  const changed = [...files].filter((file) => {
    return writeIfNew(join(copy, file), texts.get(file) ?? readFileSync(join(root, file)));
  });
  const left = [...filesBelow(copy, ".")].filter((file) => !files.has(file));
  for (const file of left) rmSync(join(copy, file));
  if (!existsSync(join(copy, "node_modules"))) symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return [...changed, ...left];
}

function build(tree) {
  rmSync(join(tree, "dist"), { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, ["scripts/build.mjs"], {
    cwd: tree,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`the copy in ${tree} could not be built`);
}

function writeIfNew(path, content) {
  if (existsSync(path) && readFileSync(path).equals(content)) return false;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return true;
}

/** Paths below `root`, with slashes. */
export function* filesBelow(root, folder) {
  if (!existsSync(join(root, folder))) return;
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
    if (folder === "." && notCopied.test(entry.name)) continue;
    if (entry.isDirectory()) yield* filesBelow(root, path);
    else if (entry.isFile()) yield path;
  }
}
