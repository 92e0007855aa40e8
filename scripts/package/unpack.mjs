// Packages unpacked for all builds: a Node takes as long to unpack as a third of an executable takes to build.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { extract } from "tar";
import { digest } from "./base.mjs";

const dayMs = 86_400_000;
/** The digests of the files beside it. */
const sums = "SHA512SUMS";

/**
 * Unpacks files of a package's tarball into a folder below `store`, unless an earlier build has, and returns its path.
 * The folder's name contains what determines its content, and its files are compared with their digests on each use.
 *
 * @param integrity of the tarball, which has been verified
 */
export async function unpack(tarball, integrity, files, store) {
  const id = digest("sha512", JSON.stringify([integrity, files])).slice(0, 12);
  const folder = join(store, `${basename(tarball, ".tgz")}-${id}`);
  if (isIntact(folder, files)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(store, { recursive: true });
  const fresh = mkdtempSync(join(store, ".new-"));
  try {
    await extract(
      { file: tarball, cwd: fresh, strip: 1 },
      files.map((each) => `package/${each}`),
    );
    writeFileSync(join(fresh, sums), sumsOf(fresh, files));
    move(fresh, folder, files);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  removeOld(folder, store);
  return folder;
}

/** Another build may have been faster. */
function move(fresh, folder, files) {
  try {
    renameSync(fresh, folder);
  } catch (error) {
    if (!isIntact(folder, files)) throw error;
  }
}

function isIntact(folder, files) {
  try {
    return readFileSync(join(folder, sums), "utf8") === sumsOf(folder, files);
  } catch (error) {
    if (error.code === "ENOENT") return false;
    throw error;
  }
}

function sumsOf(folder, files) {
  return files.map((file) => `${digest("sha512", readFileSync(join(folder, file)))}  ${file}\n`).join("");
}

/** Removes other versions of the package, and what builds that were killed left. */
function removeOld(folder, store) {
  const own = basename(folder);
  const packageOf = (name) => name.replace(/-\d+\.\d+\.\d+.*$/, "");
  const isOld = (name) =>
    name.startsWith(".")
      ? statSync(join(store, name)).mtimeMs < Date.now() - dayMs
      : name !== own && packageOf(name) === packageOf(own);
  for (const name of readdirSync(store)) if (isOld(name)) rmSync(join(store, name), { recursive: true, force: true });
}
