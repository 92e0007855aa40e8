// Where the artifacts come from, as an in-toto statement with SLSA's provenance, and a signature of their checksums.
// The statement is the same for each build of a commit: it names no machine and no time of its own.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../ready.mjs";
import { commitOf } from "../version.mjs";
import { digest, epoch, manifest, run, version } from "./base.mjs";
import { debianPackages, purlOf } from "./debian.mjs";
import { materialsOf } from "./fetched.mjs";

const sums = "SHA256SUMS";
/** The namespace of the signature: what it may be mistaken for is decided by its verifier. */
const namespace = "file";

/**
 * @param made the artifacts, `asked` those that were named, and `executables` the targets whose Node is in one of them
 */
export async function provenance(out, { made, asked, executables }) {
  const subject = digestsIn(out).map(([name, sha256]) => ({ name, digest: { sha256 } }));
  const commit = commitOf(root);
  const source = {
    uri: manifest.repository.url,
    ...(commit === undefined ? {} : { digest: { gitCommit: commit } }),
    annotations: { version, modified: version.endsWith(".dirty") || commit === undefined },
  };
  const lock = { uri: "package-lock.json", digest: { sha256: digestOf(join(root, "package-lock.json")) } };
  const system = made.includes("image") ? await debianPackages() : [];
  const fetched = [...materialsOf(executables), ...system.map((each) => ({ uri: purlOf(each) }))];
  const command = ["npm run package", ...(asked.length > 0 ? ["--", ...asked] : [])].join(" ");
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject,
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: `${manifest.homepage}/blob/main/docs/install.md#provenance`,
        externalParameters: { source, command },
        internalParameters: { SOURCE_DATE_EPOCH: epoch },
        resolvedDependencies: [source, lock, ...fetched],
      },
      runDetails: {
        builder: { id: `${manifest.homepage}/blob/main/scripts/package.mjs`, version: { forgectl: version } },
      },
    },
  };
  writeFileSync(join(out, `forgectl-${version}.intoto.json`), `${JSON.stringify(statement, null, 2)}\n`);
}

/** Writes the checksums of all files, and signs them if there is a key. Returns a sentence on the signature. */
export async function checksums(out, key) {
  writeFileSync(
    join(out, sums),
    digestsIn(out)
      .map(([name, sum]) => `${sum}  ${name}\n`)
      .join(""),
  );
  if (key === undefined) return `${sums} is not signed: --sign <key> signs it with a key of ssh-keygen`;
  await run("ssh-keygen", ["-Y", "sign", "-q", "-n", namespace, "-f", key, join(out, sums)]);
  return `${sums}.sig is the signature of ${sums}`;
}

function digestsIn(out) {
  return readdirSync(out)
    .sort()
    .map((name) => [name, digestOf(join(out, name))]);
}

function digestOf(file) {
  return digest("sha256", readFileSync(file));
}
