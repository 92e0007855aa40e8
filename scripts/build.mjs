// Bundles src/ into dist/: CommonJS, split by dynamic import, so that a command loads its own chunk and no other.
import { readFileSync, rmSync } from "node:fs";
import { build } from "rolldown";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const root = new URL("..", import.meta.url).pathname;

rmSync(`${root}dist`, { recursive: true, force: true });
await build({
  cwd: root,
  input: { main: "src/main.ts" },
  platform: "node",
  // Both carry files of their own (a WebAssembly module, a native addon) and cannot move into a bundle.
  external: ["jq-wasm", "@napi-rs/keyring"],
  transform: { define: { __VERSION__: JSON.stringify(version) } },
  output: {
    dir: "dist",
    format: "cjs",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
  },
  logLevel: "warn",
});
