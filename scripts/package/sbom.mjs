// CycloneDX bills of materials, one for each kind of artifact: what is in it, its suppliers, and what depends on what.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { jq, nodeComponent } from "../sbom/node.mjs";
import { npmComponents } from "../sbom/npm.mjs";
import { digest, epoch, manifest, version } from "./base.mjs";
import { revision } from "./deb.mjs";
import { debianPackages, debianRelease, purlOf } from "./debian.mjs";
import { targets } from "./fetched.mjs";

const authors = "The forgectl authors";
const own = `forgectl@${version}`;

/** Whether a package with the keyring's addon is in an artifact of the targets. */
const addonsOf = (names) => (ref) => names.some((name) => ref.startsWith(`@napi-rs/keyring-${targets[name].keyring}@`));

const named = `forgectl@${encodeURIComponent(version)}`;

/** What each kind has in addition to the bundle. */
const kinds = {
  // npm chooses the addon on the machine of the installation.
  npm: { isAddon: () => true, purl: `pkg:npm/${named}` },
  executable: { isAddon: addonsOf(Object.keys(targets)), purl: `pkg:generic/${named}`, hasNode: true },
  deb: {
    isAddon: addonsOf(["linux-x64"]),
    purl: `pkg:deb/forgectl@${encodeURIComponent(revision)}?arch=amd64`,
    hasNode: true,
  },
  image: { isAddon: addonsOf(["linux-x64"]), purl: `pkg:generic/${named}`, hasNode: true, hasSystem: true },
};

export const sbomKinds = Object.keys(kinds);

export async function sbom(kind, out) {
  const { isAddon, purl, hasNode = false, hasSystem = false } = kinds[kind];
  const { components, direct, edges } = await npmComponents(isAddon);
  const node = hasNode ? [await nodeComponent()] : [];
  const system = hasSystem ? await systemComponents() : [];
  const [os, ...packages] = system;
  const all = [...components, ...jq, ...node, ...system];
  const refOf = (each) => each["bom-ref"];
  const wasm = components.find(({ name }) => name === "jq-wasm");
  const dependsOn = new Map(edges);
  // An artifact embeds the addon without the package that chooses among them.
  const addons = kind === "npm" ? [] : components.map(refOf).filter((ref) => ref.startsWith("@napi-rs/"));
  dependsOn.set(own, [...new Set([...direct, ...addons, ...node.map(refOf), ...(os ? [refOf(os)] : [])])]);
  dependsOn.set(refOf(wasm), [refOf(jq[0])]);
  dependsOn.set(refOf(jq[0]), jq.slice(1).map(refOf));
  for (const each of node) dependsOn.set(refOf(each), each.components.map(refOf));
  if (os) dependsOn.set(refOf(os), packages.map(refOf));
  const file = join(out, `forgectl-${version}-${kind}.cdx.json`);
  writeFileSync(file, `${JSON.stringify(documentOf({ purl, all, dependsOn }), null, 2)}\n`);
  return file;
}

function documentOf({ purl, all, dependsOn }) {
  const refs = [
    own,
    ...all.flatMap((each) => [each["bom-ref"], ...(each.components ?? []).map((part) => part["bom-ref"])]),
  ];
  const content = {
    metadata: {
      timestamp: new Date(epoch * 1000).toISOString(),
      lifecycles: [{ phase: "build" }],
      tools: { components: [{ type: "application", name: "npm run package", version }] },
      authors: [{ name: authors }],
      component: ownComponent(purl),
      supplier: { name: authors },
    },
    components: all,
    dependencies: refs.map((ref) => ({ ref, dependsOn: dependsOn.get(ref) ?? [] })),
  };
  // Derived from the content: builds of one commit are identical.
  const sum = digest("sha256", JSON.stringify(content));
  const id = sum.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-a$4-$5");
  const head = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
  };
  return { ...head, serialNumber: `urn:uuid:${id}`, version: 1, ...content };
}

function ownComponent(purl) {
  return {
    "bom-ref": own,
    type: "application",
    name: "forgectl",
    version,
    description: manifest.description,
    supplier: { name: authors },
    licenses: [{ license: { id: manifest.license } }],
    purl,
  };
}

/** The system of the image, and its packages. Debian has the licenses in files of its own, which the image includes. */
async function systemComponents() {
  const { id, version: release, name } = debianRelease();
  const packages = await debianPackages();
  const supplier = { name: "Debian" };
  const licenseOf = (of) => [{ license: { name: `Debian: /usr/share/doc/${of}/copyright` } }];
  return [
    {
      "bom-ref": `${id}@${release}`,
      type: "operating-system",
      name: id,
      version: release,
      description: name,
      supplier,
      licenses: [{ license: { name: "Debian: as stated by each package" } }],
      cpe: `cpe:2.3:o:debian:debian_linux:${release}:*:*:*:*:*:*:*`,
      purl: `pkg:generic/${id}@${release}`,
    },
    ...packages.map((each) => ({
      "bom-ref": `${id}/${each.name}@${each.version}`,
      type: "library",
      name: each.name,
      version: each.version,
      supplier,
      publisher: each.maintainer,
      scope: "required",
      licenses: licenseOf(each.name),
      purl: purlOf(each),
    })),
  ];
}
