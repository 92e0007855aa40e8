import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { atEnd } from "../support/ending.ts";

// The installation of the README, in a clone of this working tree, whose folder may be called anything. Nothing is
// downloaded: the packages are linked.

const folder = mkdtempSync(join(tmpdir(), "forgectl-test-"));
atEnd(() => rmSync(folder, { recursive: true, force: true }));
const clone = join(folder, `my 'own" $(touch run) %20 #1`);
const prefix = join(folder, "prefix");
const forgectl = join(prefix, "bin", "forgectl");
cpSync(".", clone, {
  recursive: true,
  filter: (path) => !/^(?:node_modules|dist.*|build|coverage|out|\.git)(?:\/|$)/.test(path),
});
symlinkSync(join(process.cwd(), "node_modules"), join(clone, "node_modules"));

const started = () => spawnSync(forgectl, ["--version"], { encoding: "utf8" });
const { version } = JSON.parse(readFileSync("package.json", "utf8"));

test("npm run build && npm install --global . in a fresh clone: the program starts, and says that it is of no commit", {
  timeout: 120_000,
}, () => {
  expect(existsSync(join(clone, "dist"))).toBe(false);
  for (const words of [
    ["run", "build"],
    ["install", "--global", "--prefix", prefix, "--no-audit", "--no-fund", "--offline", "."],
  ]) {
    execFileSync("npm", words, { cwd: clone, stdio: "pipe" });
  }
  expect(started()).toMatchObject({ status: 0, stdout: `${version}+unknown\n`, stderr: "" });
  // Nothing in the name is run.
  expect([clone, folder].flatMap((each) => readdirSync(each)).includes("run")).toBe(false);
});

test("without a build: one sentence with the fix, and no stack trace", () => {
  rmSync(join(clone, "dist"), { recursive: true, force: true });
  expect(started()).toMatchObject({
    status: 70,
    stdout: "",
    stderr: `error: forgectl is not built: run npm ci && npm run build in ${clone}\n`,
  });
});
