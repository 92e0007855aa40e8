// `npm run package [-- [--out <folder>] [--sign <key>] [artifact...]]`: builds the installable artifacts in out/, their
// checksums, and a statement of their provenance. Builds of one commit are reproducible. Artifacts that cannot be built
// here are reported and skipped; if requested by name, it is an error.
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { CannotBuild, manifest, version } from "./package/base.mjs";
import { deb } from "./package/deb.mjs";
import { executable } from "./package/executable.mjs";
import { ownTarget, targets } from "./package/fetched.mjs";
import { image } from "./package/image.mjs";
import { licenses } from "./package/licenses.mjs";
import { npmPackage } from "./package/npm.mjs";
import { checksums, provenance } from "./package/provenance.mjs";
import { sbom, sbomKinds } from "./package/sbom.mjs";
import { ready, root } from "./ready.mjs";

const recipes = {
  npm: ({ out, work }) => npmPackage(out, work),
  ...Object.fromEntries(sbomKinds.map((kind) => [`sbom-${kind}`, ({ out }) => sbom(kind, out)])),
  licenses: async ({ out }) => {
    const file = join(out, `forgectl-${version}-licenses.txt`);
    writeFileSync(file, await licenses("linux-x64"));
    return file;
  },
  ...Object.fromEntries(Object.keys(targets).map((target) => [target, (build) => published(target, build)])),
  deb,
  image,
};

async function published(target, { out, built }) {
  // A changed macOS executable needs a new signature: without one, Apple's processors do not run it.
  const suffix = target.startsWith("darwin") ? "-unsigned" : target.startsWith("win") ? ".exe" : "";
  const file = join(out, `forgectl-${version}-${target}${suffix}`);
  cpSync(await built(target), file);
  return file;
}

const notes = {
  darwin: "not signed and not run here; on a Mac: codesign --sign - <file>",
  other: "not run here: it is for another system",
};

function noteOn(name) {
  if (name === "linux-arm64") return "test/package starts it under an emulator";
  if (name.startsWith("darwin")) return notes.darwin;
  return targets[name] === undefined || name === ownTarget ? "" : notes.other;
}

const usage = `npm run package [-- [--out <folder>] [--sign <key>] [artifact...]]
artifacts: ${Object.keys(recipes).join(", ")}`;

function end(code, text) {
  console.error(text);
  process.exit(code);
}

function understand(words) {
  if (words.some((word) => word === "--help" || word === "-h")) end(0, usage);
  const { out = "out", sign } = Object.fromEntries(
    ["out", "sign"].map((name) => {
      const at = words.indexOf(`--${name}`);
      const [, value] = at < 0 ? [] : words.splice(at, 2);
      if (at >= 0 && value === undefined) end(2, `--${name} needs a value\n${usage}`);
      return [name, value];
    }),
  );
  const unknown = words.find((word) => recipes[word] === undefined);
  if (unknown !== undefined) end(2, `there is no artifact ${unknown}\n${usage}`);
  const key = sign && resolve(root, sign);
  if (key !== undefined && !existsSync(key)) end(2, `--sign: the file ${key} does not exist`);
  return { out: resolve(root, out), key, asked: words };
}

/** A release is described by a section of its own. */
function refuseWithoutChanges() {
  if (version !== manifest.version) return;
  const heading = new RegExp(`^## ${version.replaceAll(".", "\\.")} - \\d{4}-\\d\\d-\\d\\d$`, "m");
  if (heading.test(readFileSync(join(root, "CHANGELOG.md"), "utf8"))) return;
  end(1, `CHANGELOG.md has no section "## ${version} - <year>-<month>-<day>" for the release v${version}`);
}

/** The folder of the artifacts is emptied: it must contain nothing but those of an earlier build. */
function refuseForeignFolder() {
  const present = lstatSync(out, { throwIfNoEntry: false });
  if (present === undefined) return;
  if (!present.isDirectory()) end(2, `--out: ${out} is not a folder`);
  const foreign = readdirSync(out).find((name) => !/^(?:forgectl[-_].+|SHA256SUMS(?:\.sig)?)$/.test(name));
  if (foreign !== undefined)
    end(2, `--out: ${out} contains ${foreign}, which no build has made: remove it, or name another folder`);
}

const { out, key, asked } = understand(process.argv.slice(2));
refuseForeignFolder();
refuseWithoutChanges();
// The artifacts do not depend on the umask, and everyone may read them.
process.umask(0o022);
ready();
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
mkdirSync(join(root, "build"), { recursive: true });
const work = mkdtempSync(join(root, "build", "package-"));
const executables = new Map();
const made = [];
const built = (target) => {
  if (!executables.has(target)) executables.set(target, executable(target, work));
  return executables.get(target);
};

async function make(name) {
  try {
    const file = await recipes[name]({ out, work, built, executable: () => built("linux-x64") });
    made.push(name);
    chmodSync(file, targets[name] === undefined ? 0o644 : 0o755);
    const size = `${(statSync(file).size / 2 ** 20).toFixed(1)} MiB`;
    console.log([name.padEnd(15), size.padStart(10), file.slice(out.length + 1), noteOn(name)].join("  ").trimEnd());
  } catch (error) {
    if (!(error instanceof CannotBuild)) throw error;
    console.error(`${name.padEnd(15)}  not built: ${error.message}`);
    if (asked.length > 0) process.exitCode = 1;
  }
}

const names = asked.length > 0 ? [...asked] : Object.keys(recipes);
/** Most of the time goes by in programs that use one core each. */
async function makeInTurn() {
  for (let name = names.shift(); name !== undefined; name = names.shift()) await make(name);
}

const ends = await Promise.allSettled(Array.from({ length: availableParallelism() }, makeInTurn));
rmSync(work, { recursive: true, force: true });
const failed = ends.find(({ status }) => status === "rejected");
if (failed !== undefined) throw failed.reason;
await provenance(out, { made, asked, executables: [...executables.keys()] });
console.log(await checksums(out, key));
