import { execFile } from "node:child_process";
import { chownSync, cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { node, session } from "../support/session.ts";

// The optional package for the keyring, where Node would look for it: above the program, in a folder such as /tmp.

const isRoot = process.geteuid?.() === 0;
const clone = fileURLToPath(new URL("../../", import.meta.url));

/** A program without its optional package, and what is run of the packages that are planted around it. */
function installed(home: string) {
  const program = join(home, "shared/tools/forgectl");
  for (const part of ["bin/forgectl.js", "dist", "package.json"]) {
    mkdirSync(dirname(join(program, part)), { recursive: true });
    cpSync(join(clone, part), join(program, part), { recursive: true });
  }
  const proof = join(home, "LOADED");
  const plant = (folder: string, name: string, owner?: number) => {
    const path = join(folder, "node_modules", "@napi-rs", name);
    mkdirSync(path, { recursive: true });
    const source = `require("node:fs").writeFileSync(${JSON.stringify(proof)}, "");
      exports.AsyncEntry = class { async getPassword() {} };`;
    writeFileSync(join(path, "index.js"), source);
    if (owner !== undefined) for (const each of [path, dirname(path)]) chownSync(each, owner, owner);
    return path;
  };
  const doctor = () =>
    new Promise<string>((resolve) => {
      const args = [join(program, "bin/forgectl.js"), "doctor", "--offline", "--jq"];
      const keyring = '.[] | select(.check == "keyring") | .detail';
      execFile(node, [...args, keyring], { env: { HOME: home, PATH: process.env.PATH } }, (_, out) => resolve(out));
    });
  return { program, plant, doctor, isLoaded: () => existsSync(proof) };
}

describe("the package for the keyring", () => {
  test("may be anywhere above the program, as npm and others install it", async () => {
    const { home } = session();
    const { plant, doctor, isLoaded } = installed(home);
    expect([await doctor(), isLoaded()]).toEqual([expect.stringContaining("none on this machine"), false]);
    plant(join(home, "shared"), "keyring");
    expect([await doctor(), isLoaded()]).toEqual(["available\n", true]);
  });

  test.runIf(isRoot)("is not loaded if another user put it there", async () => {
    const { home } = session();
    const { plant, doctor, isLoaded } = installed(home);
    plant(join(home, "shared"), "keyring", 12_345);
    expect([await doctor(), isLoaded()]).toEqual([expect.stringContaining("none on this machine"), false]);
  });

  test.runIf(isRoot)("loads no part of it that another user put there", async () => {
    const { home } = session();
    const { program, plant, doctor, isLoaded } = installed(home);
    const own = plant(program, "keyring");
    writeFileSync(join(own, "index.js"), 'module.exports = require("@napi-rs/keyring-linux-x64-gnu");');
    plant(join(home, "shared"), "keyring-linux-x64-gnu", 12_345);
    expect([await doctor(), isLoaded()]).toEqual([expect.stringContaining("none on this machine"), false]);
    // What is installed completely has no need of them.
    plant(program, "keyring-linux-x64-gnu");
    expect([await doctor(), isLoaded()]).toEqual(["available\n", true]);
  });

  test.runIf(isRoot)("may be of the user who installed the program", async () => {
    const { home } = session();
    const { program, plant, doctor, isLoaded } = installed(home);
    chownSync(join(program, "dist"), 12_345, 12_345);
    plant(program, "keyring", 12_345);
    expect([await doctor(), isLoaded()]).toEqual(["available\n", true]);
  });
});
