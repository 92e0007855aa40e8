// The licenses of everything in an executable: the program, bundled packages, Node, and the keyring's addon.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../ready.mjs";
import { keyringOf, nodeOf, nodeVersion } from "./fetched.mjs";

export async function licenses(target) {
  const node = await nodeOf(target);
  const keyring = await keyringOf(target);
  const parts = [
    ["forgectl", join(root, "LICENSE")],
    ["What is bundled", join(root, "dist", "THIRD_PARTY.txt")],
    [`Node ${nodeVersion}`, join(dirname(dirname(node)), "LICENSE")],
    ["The keyring's addon", join(dirname(keyring), "LICENSE.third-party.md")],
  ];
  const line = "=".repeat(80);
  return parts.map(([name, file]) => `${line}\n${name}\n${line}\n\n${readFileSync(file, "utf8").trim()}\n`).join("\n");
}
