// An OCI image, built without a container engine: a shell, the executable with its shared libraries, certificates, and
// a user without a home. Everything else comes unchanged from this machine's Debian packages.
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { CannotBuild, digest, epoch, manifest, run, setModes, version } from "./base.mjs";
import { debianPackages, debianRelease } from "./debian.mjs";
import { licenses } from "./licenses.mjs";

/** The characters of a tag do not include `+`. */
const tag = version.replace("+", "-");

const etc = {
  passwd: "root:x:0:0:root:/:/bin/sh\nforgectl:x:10001:10001:forgectl:/nonexistent:/bin/sh\n",
  group: "root:x:0:\nforgectl:x:10001:\n",
  "nsswitch.conf": "hosts: files dns\n",
};

export async function image({ executable, out, work }) {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new CannotBuild("it can only be built on linux-x64");
  const folder = join(work, "image");
  const built = await executable();
  const system = join(folder, "system");
  const program = join(folder, "program");
  await systemFiles(system, built);
  mkdirSync(join(program, "usr/bin"), { recursive: true });
  cpSync(built, join(program, "usr/bin/forgectl"));
  add(program, "usr/share/doc/forgectl/copyright", await licenses("linux-x64"));
  await setModes(program);
  const layout = join(folder, "layout");
  const layers = [
    await layer(layout, system, "what Debian brings"),
    await layer(layout, program, `forgectl ${version}`),
  ];
  writeLayout(layout, layers);
  await setModes(layout);
  const file = join(out, `forgectl-${version}-linux-x64.oci.tar`);
  await archive(layout, file);
  return file;
}

/** The first layer: the system files that the program and a pipeline's shell need. */
async function systemFiles(tree, built) {
  const { id, version: release, name: system } = debianRelease();
  const packages = await debianPackages();
  for (const folder of ["bin", "etc/ssl/certs", "lib64", "proc", "dev", "sys"])
    mkdirSync(join(tree, folder), { recursive: true });
  cpSync("/bin/busybox", join(tree, "bin/busybox"), { dereference: true });
  for (const applet of (await run("/bin/busybox", ["--list"])).trim().split("\n")) {
    if (applet !== "busybox") symlinkSync("busybox", join(tree, "bin", applet));
  }
  for (const [name, text] of Object.entries(etc)) add(tree, `etc/${name}`, text);
  // Scanners look for the packages of the system that is named here.
  const about = `ID=${id}\nVERSION_ID="${release}"\nPRETTY_NAME="${system}"\nNAME="Debian GNU/Linux"\n`;
  add(tree, "etc/os-release", about);
  add(tree, "etc/ssl/certs/ca-certificates.crt", certificates());
  for (const library of await librariesOf(built)) {
    mkdirSync(dirname(join(tree, library)), { recursive: true });
    cpSync(library, join(tree, library), { dereference: true });
  }
  for (const { name, status } of packages) {
    add(tree, `usr/share/doc/${name}/copyright`, readFileSync(`/usr/share/doc/${name}/copyright`));
    // As images without dpkg have it: one file for each package.
    add(tree, `var/lib/dpkg/status.d/${name}`, status);
  }
  await setModes(tree);
  mkdirSync(join(tree, "tmp"));
  chmodSync(join(tree, "tmp"), 0o1777);
}

/** The certificates of the package, without those added to this machine. */
function certificates() {
  const folder = "/usr/share/ca-certificates/mozilla";
  return readdirSync(folder)
    .sort()
    .map((name) => `${readFileSync(join(folder, name), "utf8").trim()}\n`)
    .join("");
}

async function librariesOf(built) {
  return [...(await run("ldd", [built])).matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path).sort();
}

function add(tree, path, content) {
  const file = join(tree, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Adds a tree as a layer; returns its descriptor and the digest of its content. */
async function layer(layout, tree, what) {
  const file = `${tree}.tar`;
  await archive(tree, file);
  const content = readFileSync(file);
  rmSync(file);
  const mediaType = "application/vnd.oci.image.layer.v1.tar+gzip";
  return {
    descriptor: blob(layout, mediaType, await promisify(gzip)(content)),
    diff: `sha256:${digest("sha256", content)}`,
    what,
  };
}

function writeLayout(layout, layers) {
  const created = new Date(epoch * 1000).toISOString();
  const config = blob(layout, "application/vnd.oci.image.config.v1+json", {
    created,
    architecture: "amd64",
    os: "linux",
    config: {
      User: "10001:10001",
      // Without a home there is no default folder for the runs of state apply, which sends nothing that it cannot
      // record.
      Env: ["PATH=/usr/bin:/bin", "FORGECTL_STATE_DIR=/tmp/forgectl"],
      // No entry point: pipelines start their own shell.
      Cmd: ["forgectl"],
      WorkingDir: "/",
      Labels: {
        "org.opencontainers.image.title": "forgectl",
        "org.opencontainers.image.description": manifest.description,
        "org.opencontainers.image.version": version,
        "org.opencontainers.image.licenses": manifest.license,
      },
    },
    rootfs: { type: "layers", diff_ids: layers.map(({ diff }) => diff) },
    history: layers.map(({ what }) => ({ created, created_by: what })),
  });
  const imageManifest = blob(layout, "application/vnd.oci.image.manifest.v1+json", {
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    config,
    layers: layers.map(({ descriptor }) => descriptor),
  });
  const annotations = { "org.opencontainers.image.ref.name": tag };
  add(layout, "oci-layout", JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  add(layout, "index.json", JSON.stringify({ schemaVersion: 2, manifests: [{ ...imageManifest, annotations }] }));
}

function blob(layout, mediaType, value) {
  const content = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value));
  const sum = digest("sha256", content);
  add(layout, `blobs/sha256/${sum}`, content);
  return { mediaType, digest: `sha256:${sum}`, size: content.length };
}

/** A reproducible archive of a tree: sorted, with one owner and one time. */
async function archive(tree, file) {
  await run("tar", [
    "--create",
    `--file=${file}`,
    `--directory=${tree}`,
    "--sort=name",
    "--format=gnu",
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    `--mtime=@${epoch}`,
    ".",
  ]);
}
