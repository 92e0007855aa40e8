import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { buildVersion, commitOf } from "../../scripts/version.mjs";
import { atEnd } from "../support/ending.ts";

// The statement on where the artifacts are from, and the signature of their checksums, checked as docs/install.md says.

const canSign = spawnSync("ssh-keygen", ["-?"]).error === undefined;
if (!canSign) process.stderr.write("SKIPPED in part: test/package/provenance: there is no ssh-keygen\n");

const folder = mkdtempSync(join(tmpdir(), "forgectl-provenance-"));
atEnd(() => rmSync(folder, { recursive: true, force: true }));
const out = join(folder, "out");
const key = join(folder, "key");
const pack = (...words: string[]) =>
  execFileSync(process.execPath, ["scripts/package.mjs", "--out", out, ...words, "npm"], { encoding: "utf8" });
const version = buildVersion(".");
const guide = readFileSync("docs/install.md", "utf8");

beforeAll(() => {
  if (canSign) execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "releases", "-f", key]);
});

it("says that checksums are not signed without a key", () => {
  expect(pack()).toContain("SHA256SUMS is not signed");
  expect(existsSync(join(out, "SHA256SUMS.sig"))).toBe(false);
});

it.each(["thesis.txt", ".git"])("a folder that contains %s is not emptied", (name) => {
  const own = mkdtempSync(join(folder, "own-"));
  writeFileSync(join(own, name), "mine");
  const words = ["scripts/package.mjs", "--out", own, "npm"];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  expect([status, stderr]).toEqual([2, expect.stringContaining(`contains ${name}, which no build has made`)]);
  expect(readFileSync(join(own, name), "utf8")).toBe("mine");
});

it.skipIf(process.platform === "win32")("the umask of the build is no part of the npm package", () => {
  const sumOf = () => /^\S+(?= {2}\S+\.tgz$)/m.exec(readFileSync(join(out, "SHA256SUMS"), "utf8"))?.[0];
  const before = sumOf();
  const line = `umask 077; "${process.execPath}" scripts/package.mjs --out "${out}" npm`;
  chmodSync("LICENSE", 0o600);
  atEnd(() => chmodSync("LICENSE", 0o644));
  execFileSync("sh", ["-c", line]);
  expect([sumOf(), statSync(join(out, "SHA256SUMS")).mode & 0o777]).toEqual([before, 0o644]);
});

it("states the commit, the builder, the materials, and the digest of each artifact", () => {
  const name = `forgectl-${version}.intoto.json`;
  const { subject, predicate, ...head } = JSON.parse(readFileSync(join(out, name), "utf8"));
  expect(head).toEqual({
    _type: "https://in-toto.io/Statement/v1",
    predicateType: "https://slsa.dev/provenance/v1",
  });
  const sums = readFileSync(join(out, "SHA256SUMS"), "utf8");
  const listed = [...sums.matchAll(/^(\S+) {2}(\S+)$/gm)].map(([, sha256, name]) => ({ name, digest: { sha256 } }));
  expect(listed.filter((each) => each.name !== name)).toEqual(subject);
  expect(listed.map((each) => each.name)).toEqual([name, `forgectl-${version}.tgz`].sort());
  const { externalParameters, resolvedDependencies } = predicate.buildDefinition;
  expect(externalParameters.source.digest).toEqual({ gitCommit: commitOf(".") });
  expect(externalParameters.source.annotations).toEqual({ version, modified: /dirty|unknown/.test(version) });
  expect(predicate.runDetails.builder.id).toMatch(/^https:/);
  expect(resolvedDependencies.map((each: { uri: string }) => each.uri)).toEqual([
    expect.stringMatching(/^git\+https:/),
    "package-lock.json",
  ]);
  expect(externalParameters.command).toBe("npm run package -- npm");
});

it.runIf(canSign)("signs the checksums with a key, and the guide's line finds out what was changed", () => {
  expect(pack("--sign", key)).toContain("SHA256SUMS.sig");
  writeFileSync(join(out, "allowed_signers"), `releases@forge.example.com ${readFileSync(`${key}.pub`, "utf8")}`);
  const line = /^ssh-keygen -Y verify .*$/m.exec(guide)?.[0] ?? "";
  const check = () => spawnSync("sh", ["-c", line], { cwd: out, encoding: "utf8" });
  expect(check()).toMatchObject({ status: 0, stdout: expect.stringContaining("Good") });
  appendFileSync(join(out, "SHA256SUMS"), "changed\n");
  expect(check().status).not.toBe(0);
});

it("fails if a signature was requested and cannot be made, and then keeps what was built before", () => {
  const before = readdirSync(out);
  expect(() => pack("--sign", join(folder, "no-such-key"))).toThrow(/--sign: the file \S+no-such-key does not exist\n/);
  expect(() => pack("nmp")).toThrow(/there is no artifact nmp\nnpm run package \[--/);
  expect(readdirSync(out)).toEqual(before);
});
