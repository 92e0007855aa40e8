import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { node } from "../support/session.ts";

test("a checkout is built whatever its folder is called, and nothing in the name is run", () => {
  const above = mkdtempSync(join(tmpdir(), "checkout-"));
  onTestFinished(() => rmSync(above, { recursive: true, force: true }));
  const root = join(above, `my 'own" $(touch run) %20 #1`);
  for (const name of readdirSync(".")) {
    if (/^(src|scripts|bin|docs|man|completions|package\.json|tsconfig\.json|CHANGELOG\.md)$/.test(name))
      cpSync(name, join(root, name), { recursive: true });
  }
  symlinkSync(resolve("node_modules"), join(root, "node_modules"));
  const run = (...words: string[]) => execFileSync(node, words, { cwd: root, stdio: "pipe" }).toString();
  run("scripts/build.mjs");
  expect(run("bin/forgectl.js", "--version")).toMatch(/^\d+\.\d+\.\d+/);
  expect([root, above].flatMap((folder) => readdirSync(folder)).includes("run")).toBe(false);
  expect(existsSync(join(root, "dist"))).toBe(true);
}, 60_000);
