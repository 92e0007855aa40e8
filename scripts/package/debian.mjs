// The Debian packages whose files are in the image.
import { readFileSync } from "node:fs";
import { CannotBuild, run } from "./base.mjs";

const names = ["busybox-static", "ca-certificates", "libatomic1", "libc6", "libgcc-s1", "libstdc++6"];

const fields = ["Package", "Version", "Architecture", "Maintainer", "source:Package", "Homepage"];

/** The packages as installed here, each with its entry of dpkg's status file. */
export async function debianPackages() {
  const packages = await Promise.all(names.map(read));
  const changed = (await run("dpkg", ["--verify", ...names])).trim();
  if (changed !== "") throw new CannotBuild(`files of this machine's packages were modified:\n${changed}`);
  return packages;
}

async function read(name) {
  try {
    const format = fields.map((field) => `\${${field}}\n`).join("");
    const said = await run("dpkg-query", ["--show", `--showformat=${format}`, name]);
    const [, version, architecture, maintainer, source, homepage] = said.split("\n");
    const status = await run("dpkg-query", ["--status", name]);
    return { name, version, architecture, maintainer, source, homepage, status };
  } catch (error) {
    throw error instanceof CannotBuild ? error : new CannotBuild(`Debian's ${name} is not installed`, { cause: error });
  }
}

/** The name under which scanners know a package. */
export function purlOf({ name, version, architecture, source }) {
  const { id, version: release } = debianRelease();
  const [own, of, from] = [name, version, source].map(encodeURIComponent);
  return `pkg:deb/${id}/${own}@${of}?arch=${architecture}&distro=${id}-${release}&upstream=${from}`;
}

/** The values of this machine's os-release: where the packages are from. */
export function debianRelease() {
  const text = readFileSync("/etc/os-release", "utf8");
  const valueOf = (key) => new RegExp(`^${key}="?([^"\n]*)"?$`, "m").exec(text)?.[1];
  if (valueOf("ID") !== "debian") throw new CannotBuild("it is made of Debian's packages, and this is another system");
  return { id: "debian", version: valueOf("VERSION_ID"), name: valueOf("PRETTY_NAME") };
}
