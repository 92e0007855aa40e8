import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { atEnd } from "../support/ending.ts";

// The installation of the README, in a clone of this working tree. Nothing is downloaded: the packages are linked.

const folder = mkdtempSync(join(tmpdir(), "forgectl-test-"));
atEnd(() => rmSync(folder, { recursive: true, force: true }));
const clone = join(folder, "clone");
const prefix = join(folder, "prefix");
const forgectl = join(prefix, "bin", "forgectl");
cpSync(".", clone, {
  recursive: true,
  filter: (path) => !/^(?:node_modules|dist.*|build|coverage|out|\.git)(?:\/|$)/.test(path),
});
symlinkSync(join(process.cwd(), "node_modules"), join(clone, "node_modules"));

const npm = (...words: string[]) =>
  execFileSync("npm", [...words, "--no-audit", "--no-fund", "--offline"], {
    cwd: clone,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
const started = () => spawnSync(forgectl, ["--version"], { encoding: "utf8" });
const { version } = JSON.parse(readFileSync("package.json", "utf8"));

test("npm install --global . in a fresh clone: the program starts, and man finds its pages", {
  timeout: 120_000,
}, () => {
  expect(readFileSync("README.md", "utf8")).toContain("npm install --global .\n");
  expect(existsSync(join(clone, "dist"))).toBe(false);
  npm("install", "--global", "--prefix", prefix, ".");
  expect(started()).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: "" });
  const manual = join(prefix, "share", "man", "man1");
  for (const page of ["forgectl.1", "forgectl-users.1", "forgectl-users-list.1"]) {
    expect(readFileSync(join(manual, page), "utf8")).toContain("forgectl");
  }
});

test("the npm package has the program and its manual", { timeout: 120_000 }, () => {
  expect(readFileSync("README.md", "utf8")).toContain(`./forgectl-${version}.tgz`);
  rmSync(join(clone, "dist"), { recursive: true, force: true });
  npm("pack", "--silent");
  const packed = execFileSync("tar", ["-tzf", join(clone, `forgectl-${version}.tgz`)], { encoding: "utf8" }).split(
    "\n",
  );
  for (const path of ["bin/forgectl.js", "dist/main.js", "man/forgectl.1", "man/forgectl-users-list.1"])
    expect(packed).toContain(`package/${path}`);
});

test("without a build: one sentence with the fix, and no stack trace", () => {
  rmSync(join(clone, "dist"), { recursive: true, force: true });
  expect(started()).toMatchObject({
    status: 70,
    stdout: "",
    stderr: `error: forgectl is not built: run npm ci && npm run build in ${clone}\n`,
  });
});
