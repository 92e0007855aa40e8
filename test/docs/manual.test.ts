import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
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

test("a page has the role, the tier, and the hosting of its requests, and whether a job token may send them", () => {
  const text = (name: string) => readFileSync(`man/forgectl-${name}.1`, "utf8").replaceAll("\\-", "-");
  expect(text("hooks-redeliver")).toMatch(/\nOwner; Premium, Ultimate\n/);
  expect(text("settings-get")).toContain("self-managed");
  expect(text("registry-list")).toContain("job token accepted");
});

test.runIf(has("man", "man-db"))("only addresses and single words are wider than a terminal of 80 columns", () => {
  const env = { ...process.env, MANWIDTH: "80", LC_ALL: "C.UTF-8" };
  const wide = ["forgectl", "forgectl-hooks-create", "forgectl-state-apply", "forgectl-audit"].flatMap((name) => {
    const { stdout } = spawnSync("man", ["--local-file", `man/${name}.1`], { encoding: "utf8", env });
    const lines = stdout.replace(/.[\b]/g, "").split("\n");
    return lines.filter((line) => line.length > 80 && line.trim().split(" ").length > 2);
  });
  expect(wide).toEqual([]);
});

test.runIf(has("man", "man-db"))("a page says what the help says", () => {
  const env = { ...process.env, MANWIDTH: "100", LC_ALL: "C.UTF-8" };
  const { stdout } = spawnSync("man", ["--local-file", "man/forgectl-users-list.1"], { encoding: "utf8", env });
  const text = stdout.replace(/.[\b]/g, "");
  for (const part of ["--two-factor", "forgectl users list --blocked", "GET /users", "forgectl-users-get(1)"]) {
    expect(text).toContain(part);
  }
});
