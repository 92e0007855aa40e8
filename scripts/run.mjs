// Runs a script written in TypeScript: node scripts/run.mjs scripts/<name>.ts [argument...]. It is bundled first,
// because the oldest supported Node cannot strip types.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const [script, ...rest] = process.argv.slice(2);

mkdirSync(`${root}build`, { recursive: true });
const folder = mkdtempSync(`${root}build/script-`);
try {
  await build({
    cwd: root,
    input: { script },
    platform: "node",
    external: ["jq-wasm", "@napi-rs/keyring"],
    output: { dir: folder, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
    logLevel: "silent",
  });
  process.exitCode =
    spawnSync(process.execPath, [join(folder, "script.mjs"), ...rest], { cwd: root, stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
