// A CycloneDX SBOM of the artifacts: npm's list, without development packages.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../ready.mjs";
import { digest, epoch, run, version } from "./base.mjs";
import { nodeVersion } from "./fetched.mjs";

/** Components that are not npm packages: jq, compiled in jq-wasm, and the Node of the executables. */
const others = [
  { name: "jq", version: "1.8.2", license: "MIT", what: "compiled to WebAssembly in jq-wasm" },
  { name: "node", version: nodeVersion, license: "MIT", what: "in the executables, the .deb, and the image only" },
];

export async function sbom(out) {
  const words = ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx", "--loglevel=error"];
  const whole = JSON.parse(await run("npm", words, { shell: process.platform === "win32" }));
  const bundled = new Set(
    [...readFileSync(join(root, "dist", "THIRD_PARTY.txt"), "utf8").matchAll(/^(\S+) (\d[\w.+-]*) \(.*\)$/gm)].map(
      ([, name, each]) => `${name}@${each}`,
    ),
  );
  const isShipped = (ref) => bundled.has(ref) || ref.startsWith("@napi-rs/keyring");
  const components = whole.components
    .filter((each) => isShipped(each["bom-ref"]))
    .map(({ properties, ...each }) => ({ ...each, scope: isOptional(each) ? "optional" : "required" }));
  const refs = new Set([whole.metadata.component["bom-ref"], ...components.map((each) => each["bom-ref"])]);
  const dependencies = whole.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  const document = {
    ...whole,
    metadata: {
      ...whole.metadata,
      timestamp: new Date(epoch * 1000).toISOString(),
      component: { ...whole.metadata.component, type: "application", name: "forgectl" },
    },
    components: [...components, ...others.map(componentOf)],
    dependencies,
  };
  const sum = digest("sha256", JSON.stringify({ ...document, serialNumber: undefined }));
  // Derived from the content, because npm's is random.
  document.serialNumber = `urn:uuid:${sum.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-a$4-$5")}`;
  const file = join(out, `forgectl-${version}.cdx.json`);
  writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
  return file;
}

function isOptional({ name, purl }) {
  return purl.includes("%40napi-rs/") || name.startsWith("@napi-rs/");
}

function componentOf({ name, version: of, license, what }) {
  return {
    "bom-ref": `${name}@${of}`,
    type: "library",
    name,
    version: of,
    scope: "required",
    description: what,
    purl: `pkg:generic/${name}@${of}`,
    licenses: [{ license: { id: license } }],
  };
}
