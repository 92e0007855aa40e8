import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

// The artifacts of an earlier build (FORGECTL_TEST_PACKAGES=<folder>) are made again, and compared.

const isWhole = process.env.FORGECTL_TEST_FORMATS === "all";
const earlier = process.env.FORGECTL_TEST_PACKAGES;
// On disk, since it takes gigabytes.
const folder = mkdtempSync(join(process.env.FORGECTL_TEST_DISK ?? tmpdir(), "forgectl-again-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.runIf(earlier !== undefined)("another build, from a clone in another folder", () => {
  it("gives identical bytes", { timeout: 1_200_000 }, () => {
    const clone = join(folder, "clone");
    cpSync(".", clone, {
      recursive: true,
      filter: (path) => !/^(?:node_modules|dist.*|build|coverage|out|\.git)(?:\/|$)/.test(path),
    });
    // The repository says which commit it is.
    for (const name of ["node_modules", ".git"]) symlinkSync(resolve(name), join(clone, name));
    // What it uses of the fetched packages is compared with its digests. With FORGECTL_TEST_FORMATS=all it unpacks them
    // itself.
    const fetched = join(clone, "build", "fetched");
    mkdirSync(fetched, { recursive: true });
    for (const file of readdirSync(join("build", "fetched")).filter((name) =>
      isWhole ? name.endsWith(".tgz") : true,
    )) {
      symlinkSync(resolve("build", "fetched", file), join(fetched, file));
    }
    // Those for another architecture are made the same way. An executable takes some 10 s, so that those of other
    // formats are made with FORGECTL_TEST_FORMATS=all only.
    const formats = isWhole ? ["darwin-arm64", "win-x64"] : [];
    const artifacts = [
      ...["npm", "sbom-npm", "sbom-executable", "sbom-deb", "sbom-image", "licenses", "deb", "image", "linux-x64"],
      ...formats,
    ];
    execFileSync(process.execPath, ["scripts/package.mjs", ...artifacts], { cwd: clone, stdio: "pipe" });
    // The statement of provenance names all that was built.
    const other = formats.length > 0 ? "linux-arm64|darwin-x64-unsigned" : "linux-arm64|darwin-.*|win-x64\\.exe";
    const leftOut = new RegExp(`-(?:${other})$|\\.intoto\\.json$`);
    const sums = (place: string) =>
      readFileSync(join(place, "SHA256SUMS"), "utf8")
        .trim()
        .split("\n")
        .filter((line) => !leftOut.test(line));
    const expected = sums(resolve(earlier ?? "out"));
    expect(expected).toHaveLength(artifacts.length);
    expect(sums(join(clone, "out"))).toEqual(expected);
  });
});
