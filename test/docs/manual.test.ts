import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";

// How man renders the pages, checked with the programs that it uses.

const pages = readdirSync("man").map((name) => `man/${name}`);

/** Whether a program is installed; warns if it is not, so that a skipped test does not look like a passed one. */
function has(program: string, comesWith: string): boolean {
  if (spawnSync(program, ["--version"]).error === undefined) return true;
  process.stderr.write(
    `SKIPPED: ${program} is not installed; the manual was not tested (apt-get install ${comesWith})\n`,
  );
  return false;
}

test.runIf(has("groff", "groff"))("groff warns about nothing", () => {
  const { status, stderr } = spawnSync("groff", ["-ww", "-b", "-z", "-man", "-Tutf8", ...pages], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});

test.runIf(has("lexgrog", "man-db"))("whatis and apropos find every page, by its name and purpose", () => {
  const { status, stdout } = spawnSync("lexgrog", pages, { encoding: "utf8" });
  const known = stdout.match(/^man\/(\S+)\.1: "\1 - \S.*"$/gm) ?? [];
  expect([status, known.length]).toEqual([0, pages.length]);
});

test.runIf(has("man", "man-db"))("a page says what the help says", () => {
  const env = { ...process.env, MANWIDTH: "100", LC_ALL: "C.UTF-8" };
  const { stdout } = spawnSync("man", ["--local-file", "man/forgectl-users-list.1"], { encoding: "utf8", env });
  const text = stdout.replace(/.[\b]/g, "");
  for (const part of ["--two-factor", "forgectl users list --blocked", "GET /users", "forgectl-users-get(1)"]) {
    expect(text).toContain(part);
  }
});
