import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { beforeAll, describe, expect, it } from "vitest";
import { isFetched, nodeVersion, ownTarget } from "../../scripts/package/fetched.mjs";
import { atEnd } from "../support/ending.ts";

// The bills of materials, against the published schema, and what a scanner or an auditor looks for in them.

interface Component {
  "bom-ref": string;
  name: string;
  version?: string;
  purl: string;
  cpe?: string;
  licenses: readonly unknown[];
  supplier: { name: string };
  components?: readonly Component[];
}

interface Document {
  specVersion: string;
  metadata: { lifecycles: unknown; component: Component };
  components: readonly Component[];
  dependencies: readonly { ref: string; dependsOn: readonly string[] }[];
}

const earlier = process.env.FORGECTL_TEST_PACKAGES;
const folder = mkdtempSync(join(tmpdir(), "forgectl-sbom-"));
atEnd(() => rmSync(folder, { recursive: true, force: true }));
const out = earlier === undefined ? join(folder, "out") : resolve(earlier);
const canBuild = isFetched(ownTarget);
const isDebian = readFileSync("/etc/os-release", "utf8").includes("\nID=debian\n");
const kinds = ["npm", ...(canBuild ? ["executable", "deb", ...(isDebian ? ["image"] : [])] : [])];
if (kinds.length < 4) {
  process.stderr.write(
    "SKIPPED in part: test/package/sbom: there is no Node for the executables, or this is not Debian\n",
  );
}

beforeAll(() => {
  if (earlier !== undefined) return;
  const words = ["scripts/package.mjs", "--out", out, ...kinds.map((kind) => `sbom-${kind}`)];
  execFileSync(process.execPath, words, { stdio: "pipe" });
}, 120_000);

const schemaOf = (name: string) =>
  JSON.parse(readFileSync(`test/fixtures/cyclonedx/${name}.SNAPSHOT.schema.json`, "utf8"));

function validator() {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
  addFormats(ajv);
  // Formats that no package checks.
  for (const format of ["iri-reference", "idn-email"]) ajv.addFormat(format, true);
  const base = "http://cyclonedx.org/schema/";
  for (const name of ["spdx", "jsf-0.82"]) ajv.addSchema(schemaOf(name), `${base}${name}.SNAPSHOT.schema.json`);
  return ajv.compile(schemaOf("bom-1.6"));
}

describe.each(kinds)("the bill of materials of kind %s", (kind) => {
  const read = (): Document => {
    const sums = readFileSync(join(out, "SHA256SUMS"), "utf8");
    const name = new RegExp(`\\S+-${kind}\\.cdx\\.json`).exec(sums)?.[0] ?? "";
    return JSON.parse(readFileSync(join(out, name), "utf8"));
  };
  const allOf = ({ components }: Document) => components.flatMap((each) => [each, ...(each.components ?? [])]);
  const namesOf = (document: Document) => allOf(document).map(({ name }) => name);

  it("is valid by the schema", () => {
    const validate = validator();
    expect([validate(read()), validate.errors]).toEqual([true, null]);
    expect(validate({ ...read(), components: [{ type: "library" }] })).toBe(false);
  });

  it("has a license, a supplier, and an identity for each component, once", () => {
    const document = read();
    expect(document).toMatchObject({ specVersion: "1.6", metadata: { lifecycles: [{ phase: "build" }] } });
    const all = [document.metadata.component, ...allOf(document)];
    for (const each of all) {
      expect(each, each.name).toMatchObject({
        purl: expect.stringMatching(/^pkg:/),
        supplier: { name: expect.stringMatching(/./) },
        licenses: [expect.anything()],
      });
    }
    const refs = all.map((each) => each["bom-ref"]);
    expect(refs.length).toBeGreaterThan(60);
    expect(new Set(refs).size).toBe(refs.length);
  });

  it("leads from the program to each component", () => {
    const document = read();
    const next = new Map(document.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
    const reached = new Set<string>();
    const visit = (ref: string): void => {
      if (reached.has(ref)) return;
      reached.add(ref);
      expect(next.has(ref), ref).toBe(true);
      for (const each of next.get(ref) ?? []) visit(each);
    };
    visit(document.metadata.component["bom-ref"]);
    expect(
      allOf(document)
        .map((each) => each["bom-ref"])
        .filter((ref) => !reached.has(ref)),
    ).toEqual([]);
  });

  it("names Node and its parts as databases of vulnerabilities do, where it contains Node", () => {
    const document = read();
    const node = document.components.find(({ name }) => name === "node");
    expect(node === undefined).toBe(kind === "npm");
    if (node === undefined) return;
    expect(node).toMatchObject({
      version: nodeVersion,
      purl: `pkg:generic/node@${nodeVersion}`,
      cpe: `cpe:2.3:a:nodejs:node.js:${nodeVersion}:*:*:*:*:*:*:*`,
    });
    const openssl = node.components?.find(({ name }) => name === "openssl");
    expect(openssl?.cpe).toMatch(/^cpe:2\.3:a:openssl:openssl:\d+\.\d+\.\d+:\*/);
    expect(node.components?.map(({ name }) => name)).toEqual(expect.arrayContaining(["v8", "zlib", "uv", "nghttp2"]));
  });

  it("lists what is in this kind, and nothing else", () => {
    const names = namesOf(read());
    expect(names).toEqual(expect.arrayContaining(["undici", "commander", "jq", "oniguruma"]));
    expect(names).not.toContain("vitest");
    expect(names.includes("libc6")).toBe(kind === "image");
    const addons = names.filter((name) => /keyring-/.test(name)).length;
    expect(addons).toEqual({ npm: 12, executable: 5, deb: 1, image: 1 }[kind]);
  });
});
