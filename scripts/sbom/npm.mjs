// The npm packages in a bill of materials: npm's own list, without those that serve only development.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../package/base.mjs";
import { root } from "../ready.mjs";

/** Returns the components that a build bundles, the keyring, and their dependencies, by names with version. */
export async function npmComponents(isAddon) {
  const words = ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx", "--loglevel=error"];
  const whole = JSON.parse(await run("npm", words, { shell: process.platform === "win32" }));
  const isShipped = shipped(isAddon);
  const found = whole.components.filter((each) => isShipped(each["bom-ref"]));
  const refs = new Set(found.map((each) => each["bom-ref"]));
  const edges = new Map(whole.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
  // A package of which only re-exports were used is not bundled: what it depends on is depended on without it.
  const beyond = (ref) => edges.get(ref).flatMap((each) => (refs.has(each) ? [each] : beyond(each)));
  const own = whole.metadata.component["bom-ref"];
  return {
    components: found.map(({ properties, externalReferences, author, ...each }) => ({
      ...each,
      supplier: { name: supplierOf(each) },
      scope: each["bom-ref"].startsWith("@napi-rs/") ? "optional" : "required",
    })),
    // Not through others: those are tools of the development.
    direct: edges.get(own).filter((each) => refs.has(each)),
    edges: [...refs].map((ref) => [ref, [...new Set(beyond(ref))]]),
  };
}

function shipped(isAddon) {
  const notices = readFileSync(join(root, "dist", "THIRD_PARTY.txt"), "utf8");
  const bundled = [...notices.matchAll(/^(\S+) (\d[\w.+-]*) \(.*\)$/gm)].map(([, name, each]) => `${name}@${each}`);
  const all = new Set(bundled);
  return (ref) => all.has(ref) || (ref.startsWith("@napi-rs/keyring") && isAddon(ref));
}

/** The author that a package names; some name none. */
function supplierOf({ group, name }) {
  const whole = group === undefined ? name : `${group}/${name}`;
  const file = join(root, "node_modules", whole, "package.json");
  const { author } = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const said = typeof author === "string" ? author.replace(/\s*[<(].*$/, "") : author?.name;
  return said || `The ${whole} authors`;
}
