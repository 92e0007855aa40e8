// A Debian package of the executable: the program, its manual, completions in each shell's folder, licenses.
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "../ready.mjs";
import { digest, epoch, run, setModes, version } from "./base.mjs";
import { licenses } from "./licenses.mjs";

/** A snapshot sorts before the release that it leads to, and after earlier snapshots: by the time of its commit. */
const snapshot = new Date(epoch * 1000).toISOString().replace(/\D/g, "").slice(0, 14);
export const revision = `${version.replace(/\+git\.|\+/, `~git${snapshot}.`)}-1`;
const maintainer = "The forgectl authors <forgectl@localhost>";

const completions = {
  "forgectl.bash": "usr/share/bash-completion/completions/forgectl",
  _forgectl: "usr/share/zsh/vendor-completions/_forgectl",
  "forgectl.fish": "usr/share/fish/vendor_completions.d/forgectl.fish",
  // PowerShell has no folder for packaged completions: the user's profile loads it from here.
  "forgectl.ps1": "usr/share/forgectl/forgectl.ps1",
};

/** Lintian's complaints about Node's own executable, and the reasons to ignore them. */
const overrides = `# The executable is Node's own, byte for byte as its project publishes it, with the program appended: it is not stripped,
# and it brings the libraries that Node was built with.
forgectl: unstripped-binary-or-object *
forgectl: embedded-library *
forgectl: hardening-no-pie *
forgectl: hardening-no-bindnow *
forgectl: hardening-no-fortify-functions *
# The unchanged licenses of everything in the executable.
forgectl: copyright-file-contains-full-apache-2-license
forgectl: copyright-file-contains-full-gpl-license
forgectl: copyright-not-using-common-license-for-lgpl
forgectl: old-fsf-address-in-copyright-file
# The authors have no common address, and this package is not meant for Debian's archive, which would require one.
forgectl: bogus-mail-host *
forgectl: bogus-mail-host-in-debian-changelog *
forgectl: initial-upload-closes-no-bugs *
`;

const control = (kilobytes) => `Package: forgectl
Version: ${revision}
Architecture: amd64
Maintainer: ${maintainer}
Installed-Size: ${kilobytes}
Depends: libatomic1, libc6 (>= 2.28), libgcc-s1 (>= 3.4), libstdc++6 (>= 9)
Recommends: ca-certificates
Suggests: bash-completion, gnome-keyring
Section: admin
Priority: optional
Description: command line for administering a development platform
 Administers a software-development platform through its REST API v4:
 container registry, repository files, job artifacts, uploads, error tracking,
 protected environments, notes, users and events, webhooks, SAML, SCIM, LDAP,
 and the settings of an instance.
 .
 It needs no Node on the machine, sends no telemetry, and looks for no updates.
`;

export async function deb({ executable, out, work }) {
  const tree = join(work, "deb");
  const add = (path, content, mode = 0o644) => {
    const file = join(tree, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
    writeFileSync(file, content, { mode });
  };
  const compressed = (text) => gzipSync(text, { level: 9 });
  mkdirSync(join(tree, "usr/bin"), { recursive: true });
  cpSync(await executable(), join(tree, "usr/bin/forgectl"));
  for (const page of readdirSync(join(root, "man"))) {
    add(`usr/share/man/man1/${page}.gz`, compressed(readFileSync(join(root, "man", page))));
  }
  for (const [name, place] of Object.entries(completions)) add(place, readFileSync(join(root, "completions", name)));
  add("usr/share/doc/forgectl/copyright", await licenses("linux-x64"));
  add("usr/share/doc/forgectl/changelog.gz", compressed(readFileSync(join(root, "CHANGELOG.md"))));
  add("usr/share/doc/forgectl/changelog.Debian.gz", compressed(changelog()));
  add("usr/share/lintian/overrides/forgectl", overrides);
  const files = readdirSync(tree, { recursive: true })
    .filter((path) => statSync(join(tree, path)).isFile())
    .sort();
  const bytes = files.reduce((total, path) => total + statSync(join(tree, path)).size, 0);
  const sums = files.map((path) => `${digest("md5", readFileSync(join(tree, path)))}  ${path}\n`);
  add("DEBIAN/control", control(Math.ceil(bytes / 1024)));
  add("DEBIAN/md5sums", sums.join(""));
  await setModes(tree);
  const file = join(out, `forgectl_${revision}_amd64.deb`);
  // One thread, because xz's blocks depend on the number. The highest level would save a tenth, but take six times
  // longer.
  await run("dpkg-deb", ["--build", "--root-owner-group", "-Zxz", "-z0", "--threads-max=1", tree, file]);
  return file;
}

function changelog() {
  const date = new Date(epoch * 1000).toUTCString().replace("GMT", "+0000");
  return `forgectl (${revision}) unstable; urgency=medium

  * Version ${version}; see changelog.gz.

 -- ${maintainer}  ${date}
`;
}
