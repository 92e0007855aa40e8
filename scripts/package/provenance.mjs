// Where the artifacts come from, as an in-toto statement with SLSA's provenance, and a signature of their checksums.
// The statement is the same for each build of a commit: it names no machine and no time of its own.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../ready.mjs";
import { commitOf } from "../version.mjs";
import { digest, epoch, manifest, run, version } from "./base.mjs";
import { materials } from "./fetched.mjs";

const sums = "SHA256SUMS";
/** The namespace of the signature: what it may be mistaken for is decided by its verifier. */
const namespace = "file";

export function provenance(out) {
  const subject = digestsIn(out).map(([name, sha256]) => ({ name, digest: { sha256 } }));
  const commit = commitOf(root);
  const source = {
    uri: manifest.repository.url,
    ...(commit === undefined ? {} : { digest: { gitCommit: commit } }),
    annotations: { version, modified: version.endsWith(".dirty") || commit === undefined },
  };
  const lock = { uri: "package-lock.json", digest: { sha256: digestOf(join(root, "package-lock.json")) } };
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject,
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: `${manifest.homepage}/blob/main/docs/install.md#provenance`,
        externalParameters: { source, command: "npm run package" },
        internalParameters: { SOURCE_DATE_EPOCH: epoch },
        resolvedDependencies: [source, lock, ...materials],
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
