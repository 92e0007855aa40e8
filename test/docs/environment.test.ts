import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { topics } from "../../src/cli/topics.ts";
import { ownVariables } from "../../src/config/variables.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The sources of the program, without the embedded platform and the texts about variables. */
const sources = ["src", "bin"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.split(sep).join("/")}`)
    .filter((path) => /\.[jt]s$/.test(path) && !path.startsWith("src/sandbox/") && path !== "src/cli/topics.ts"),
);

/** Names that the code reads: `env.NAME`, names taken out of an environment, and texts that are such names. */
function variablesIn(path: string): string[] {
  const code = readFileSync(join(root, path), "utf8").replace(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  const read = [...code.matchAll(/\benv\??\.([A-Z][A-Z0-9_]*)/g)];
  const listed = [...code.matchAll(/"((?:FORGECTL|CI|XDG|NODE)_[A-Z0-9_]+)"/g)];
  const asked = [...code.matchAll(/\b(?:base|ofVariable|textFrom|fromVariable)\([^()"]*"([A-Z][A-Z0-9_]+)"/g)];
  const taken = [...code.matchAll(/\{([^{}]*)\}(?:: Environment| = (?:host\.)?env\b)/g)].flatMap(([, names = ""]) => [
    ...names.matchAll(/\b([A-Z][A-Z0-9_]+)\b/g),
  ]);
  const ofTerminals = path.endsWith("known-terminals.ts") ? [...code.matchAll(/"([A-Z][A-Z0-9_]+)"/g)] : [];
  const prefixed = [...code.matchAll(/`(FORGECTL_)\$\{(\w+)\.toUpperCase/g)].flatMap(() =>
    ["TIMEOUT", "RETRIES", "CONCURRENCY"].map((name) => ["", `FORGECTL_${name}`]),
  );
  return [...read, ...listed, ...asked, ...taken, ...ofTerminals, ...prefixed].map(([, name = ""]) => name);
}

const text = topics.environment ?? "";
const described = new Set(text.match(/\b[A-Z][A-Z0-9_]*[A-Z0-9]\b/g));

test("help environment names every variable that the program reads", () => {
  const read = [...new Set(sources.flatMap(variablesIn))].sort();
  expect(read.length).toBeGreaterThan(50);
  expect(read.filter((name) => !described.has(name))).toEqual([]);
});

test("help environment names no variable of this program that nothing reads", () => {
  const code = sources.map((path) => readFileSync(join(root, path), "utf8")).join("\n");
  const own = [...described].filter((name) => /^(?:FORGECTL|XDG|CI)_/.test(name));
  const computed = /^FORGECTL_(?:TIMEOUT|RETRIES|CONCURRENCY)$/;
  expect(own.filter((name) => !computed.test(name) && !code.includes(name))).toEqual([]);
});

test("a variable that is nearly one of those is known from them", () => {
  const own = [...described].flatMap((name) => (name.startsWith("FORGECTL_") ? [name.slice("FORGECTL_".length)] : []));
  expect([...ownVariables].sort()).toEqual(own.sort());
});
