// The components of Node in a bill of materials: with the names under which vulnerabilities are published.

import { run } from "../package/base.mjs";
import { nodeOf, nodeVersion, ownTarget } from "../package/fetched.mjs";

/** Numbers of interfaces, not software. */
const interfaces = new Set(["node", "modules", "napi"]);

/** What Node is made of, by the names in process.versions: supplier, license, and vendor and product of the CPE. */
const parts = {
  acorn: ["The Acorn contributors", "MIT"],
  ada: ["Yagiz Nizipli and Daniel Lemire", "MIT", "ada-url:ada"],
  amaro: ["Marco Ippolito and Amaro contributors", "MIT"],
  ares: ["The c-ares project", "MIT", "c-ares:c-ares"],
  brotli: ["The Brotli authors", "MIT", "google:brotli"],
  cldr: ["Unicode, Inc.", "Unicode-3.0"],
  icu: ["Unicode, Inc.", "Unicode-3.0", "icu-project:international_components_for_unicode"],
  libffi: ["Anthony Green and others", "MIT", "libffi_project:libffi"],
  lief: ["Romain Thomas", "Apache-2.0", "lief-project:lief"],
  llhttp: ["Fedor Indutny", "MIT", "llhttp:llhttp"],
  merve: ["Yagiz Nizipli", "MIT"],
  nbytes: ["The Node.js project", "MIT"],
  ncrypto: ["The Node.js project", "MIT"],
  nghttp2: ["Tatsuhiro Tsujikawa and nghttp2 contributors", "MIT", "nghttp2:nghttp2"],
  nghttp3: ["nghttp3 contributors", "MIT", "nghttp2:nghttp3"],
  ngtcp2: ["ngtcp2 contributors", "MIT", "ngtcp2:ngtcp2"],
  openssl: ["The OpenSSL Project", "Apache-2.0", "openssl:openssl"],
  simdjson: ["The simdjson authors", "Apache-2.0", "simdjson:simdjson"],
  simdutf: ["The simdutf authors", "MIT", "simdutf:simdutf"],
  sqlite: ["The SQLite project", "blessing", "sqlite:sqlite"],
  tz: ["IANA", "LicenseRef-public-domain"],
  undici: ["The Node.js project", "MIT", "nodejs:undici"],
  unicode: ["Unicode, Inc.", "Unicode-3.0"],
  uv: ["The libuv project", "MIT", "libuv:libuv"],
  uvwasi: ["Colin Ihrig and contributors", "MIT"],
  v8: ["The V8 project", "BSD-3-Clause", "google:v8"],
  zlib: ["Jean-loup Gailly and Mark Adler", "Zlib", "zlib:zlib"],
  zstd: ["Meta Platforms, Inc.", "BSD-3-Clause", "facebook:zstandard"],
};

/** Node with its parts below it. The parts are those of this machine's, which has the same version. */
export async function nodeComponent() {
  const versions = JSON.parse(await run(await nodeOf(ownTarget), ["--print", "JSON.stringify(process.versions)"]));
  const within = Object.entries(versions).filter(([name, of]) => of !== "" && !interfaces.has(name));
  return {
    ...component({
      name: "node",
      version: nodeVersion,
      supplier: "The Node.js project",
      license: "MIT",
      cpe: "nodejs:node.js",
      description: "as published by its project, unchanged",
    }),
    type: "platform",
    components: within.map(([name, version]) => partOf(name, version)),
  };
}

function partOf(name, version) {
  const [supplier, license, cpe] = parts[name] ?? [];
  if (license === undefined) throw new Error(`scripts/sbom/node.mjs says nothing of Node's ${name}`);
  return { ...component({ name, version, supplier, license, cpe }), "bom-ref": `node/${name}@${version}` };
}

/** Components that are in no package: jq, compiled to WebAssembly, and what it contains. */
export const jq = [
  component({
    name: "jq",
    version: "1.8.2",
    supplier: "The jq project",
    license: "MIT",
    cpe: "jqlang:jq",
    description: "compiled to WebAssembly in jq-wasm",
  }),
  component({ name: "oniguruma", supplier: "K.Kosako", license: "BSD-2-Clause", description: "in jq" }),
  component({ name: "decNumber", supplier: "IBM", license: "ICU", description: "in jq" }),
];

/** A component of another ecosystem than npm's. */
function component({ name, version, supplier, license, cpe, description }) {
  const suffix = version === undefined ? "" : `@${version}`;
  // Suffixes of a build are not part of published versions.
  const published = version?.replace(/-.*$/, "");
  return {
    "bom-ref": `${name}${suffix}`,
    type: "library",
    name,
    ...(version === undefined ? {} : { version }),
    ...(description === undefined ? {} : { description }),
    supplier: { name: supplier },
    scope: "required",
    licenses: [{ license: license.startsWith("LicenseRef-") ? { name: license } : { id: license } }],
    ...(cpe === undefined ? {} : { cpe: `cpe:2.3:a:${cpe}:${published}:*:*:*:*:*:*:*` }),
    purl: `pkg:generic/${name}${suffix}`,
  };
}
