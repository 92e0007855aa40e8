import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { toolFolder } from "../../scripts/other-tools.mjs";
import { atEnd } from "../support/ending.ts";

// Installation with each npm and on each Node, from a fresh clone as in the README, and of the npm package: by default
// with the oldest npm on the oldest Node, and the newest on the newest. With FORGECTL_TEST_FORMATS=all, each npm on
// each Node. The clone's packages are linked, since they are the same for all.

const isWhole = process.env.FORGECTL_TEST_FORMATS === "all";
const nodes: Record<string, readonly string[]> = {
  20: isWhole ? ["10", "11"] : ["10"],
  22: isWhole ? ["10", "11", "12"] : [],
  24: isWhole ? ["10", "11", "12"] : [],
  26: isWhole ? ["10", "11", "12"] : ["12"],
};

const folder = mkdtempSync(join(tmpdir(), "forgectl-npm-"));
atEnd(() => rmSync(folder, { recursive: true, force: true }));

/** The folder of a Node or npm, or undefined where it can be fetched from nowhere. */
function toolOf(name: string): string | undefined {
  try {
    return toolFolder(name);
  } catch {
    process.stderr.write(
      `SKIPPED in part: test/package/npm-versions: ${name} is not in the cache, and cannot be fetched\n`,
    );
    return undefined;
  }
}

const cells = Object.entries(nodes).flatMap(([node, npms]) => {
  const programs = toolOf(`node@${node}`);
  return npms.flatMap((npm) => {
    const folderOfNpm = programs && toolOf(`npm@${npm}`);
    return folderOfNpm === undefined ? [] : [{ node, npm, path: `${folderOfNpm}:${programs}:${process.env.PATH}` }];
  });
});

const clone = join(folder, "clone");
let packed: string;

beforeAll(() => {
  cpSync(".", clone, {
    recursive: true,
    filter: (path) => !/^(?:node_modules|dist.*|build|coverage|out|\.git)(?:\/|$)/.test(path),
  });
  symlinkSync(resolve("node_modules"), join(clone, "node_modules"));
  // By the newest Node: this one has built what the other tests run.
  const newest = toolOf("node@26");
  const builder = newest === undefined ? process.execPath : join(newest, "node");
  const run = (script: string, ...words: string[]) =>
    execFileSync(builder, [join(clone, "scripts", script), ...words], { encoding: "utf8" });
  run("build.mjs");
  const name = /\S+\.tgz/.exec(run("package.mjs", "--out", join(folder, "out"), "npm"))?.[0] ?? "";
  packed = join(folder, "out", name);
}, 120_000);

it("the README installs with these lines", () => {
  expect(readFileSync("README.md", "utf8")).toContain(
    "\nnpm ci && npm run build && npm install --global .\nforgectl completion install\n",
  );
});

describe.each(cells)("npm $npm on Node $node", ({ npm, node, path }) => {
  const prefix = join(folder, `${npm}-${node}`);
  const npmPrints = (...words: string[]) => {
    // The tester's own settings may be among those that npm warns about.
    const settings = { npm_config_userconfig: "/dev/null", npm_config_cache: join(folder, "cache") };
    const env = { PATH: path, HOME: folder, npm_config_offline: "true", ...settings };
    const said = spawnSync("npm", [...words, "--no-audit", "--no-fund"], { cwd: clone, env, encoding: "utf8" });
    return { status: said.status, warnings: `${said.stdout}${said.stderr}`.match(/.*(?:warn|error|notice).*/gi) };
  };
  const started = () =>
    spawnSync(join(prefix, "bin", "forgectl"), ["--version"], { env: { PATH: path }, encoding: "utf8" });
  const works = { status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/), stderr: "" };

  it("is the one that runs", () => {
    const version = (program: string) =>
      spawnSync(program, ["--version"], { env: { PATH: path }, encoding: "utf8" }).stdout;
    expect([version("npm"), version("node")]).toEqual([
      expect.stringMatching(new RegExp(`^${npm}\\.`)),
      expect.stringMatching(new RegExp(`^v${node}\\.`)),
    ]);
  });

  it("accepts the list of packages, which needs no script to run", () => {
    expect(npmPrints("ci", "--dry-run", "--prefer-offline")).toEqual({ status: 0, warnings: null });
  });

  it("installs a clone without a warning", () => {
    expect(npmPrints("install", "--global", "--prefix", prefix, ".")).toEqual({ status: 0, warnings: null });
    expect(started()).toMatchObject(works);
    rmSync(prefix, { recursive: true });
  });

  it("installs the package without a warning", () => {
    const words = ["install", "--global", "--prefix", prefix, "--omit=optional", packed];
    expect(npmPrints(...words)).toEqual({ status: 0, warnings: null });
    expect(existsSync(join(prefix, "lib", "node_modules", "forgectl", "man", "forgectl.1"))).toBe(true);
    expect(started()).toMatchObject(works);
  });
});
