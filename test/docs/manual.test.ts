import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { AnyEndpoint } from "../../src/api/endpoint.ts";
import { groups } from "../../src/commands/index.ts";
import { argumentTerms, commandsIn, describeFlags, requestLine } from "../../src/declare/describe.ts";
import { lastRelease } from "../../src/reference/files.ts";
import { roffText } from "../../src/reference/roff-text.ts";

// How man renders the pages, checked with the programs that it uses.

const pages = readdirSync("man").map((name) => `man/${name}`);

/** Whether a program is installed; warns if it is not, so that a skipped test does not look like a passed one. */
function has(program: string, comesWith: string): boolean {
  if (spawnSync(program, ["--help"]).error === undefined) return true;
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

test.runIf(has("mandoc", "mandoc"))("mandoc finds nothing to improve", () => {
  const { status, stdout, stderr } = spawnSync("mandoc", ["-T", "lint", ...pages], { encoding: "utf8" });
  expect([status, stdout, stderr]).toEqual([0, "", ""]);
});

test("a page of a command has the sections that man-pages(7) names, and the date of the last release", () => {
  const page = readFileSync("man/forgectl-registry-list.1", "utf8");
  const sections = [...page.matchAll(/^\.SH (.*)$/gm)].map(([, title]) => title);
  expect(sections).toEqual(expect.arrayContaining(["OPTIONS", "EXIT STATUS", "ENVIRONMENT"]));
  expect(page).toMatch(/^\.TH FORGECTL\\-REGISTRY\\-LIST 1 "\d{4}-\d\d-\d\d" /m);
  expect(page).toContain("\\fBFORGECTL_PROJECT\\fR");
  expect([lastRelease("# C\n\n## Unreleased\n\n## 0.2.0 (2027-02-03)\n\n## 0.1.0 (2027-01-01)\n")]).toEqual([
    "2027-02-03",
  ]);
});

test("a page says what the command can end with, and no more", () => {
  const codes = (name: string) =>
    [
      ...(/^\.SH EXIT STATUS\n([\s\S]*?)^\.SH /m.exec(readFileSync(`man/${name}.1`, "utf8"))?.[1] ?? "").matchAll(
        /^\\fB(\d+)\\fR$/gm,
      ),
    ].map(([, code]) => Number(code));
  expect(codes("forgectl-state-plan")).toContain(10);
  expect(codes("forgectl-users-get")).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 70, 130]);
});

test("a page has the role, the tier, and the hosting of its requests, and whether a job token may send them", () => {
  const text = (name: string) => readFileSync(`man/forgectl-${name}.1`, "utf8").replaceAll("\\-", "-");
  expect(text("hooks-redeliver")).toMatch(/\nOwner; Premium, Ultimate\n/);
  expect(text("settings-get")).toContain("self-managed");
  expect(text("registry-list")).toContain("job token accepted");
});

test.runIf(has("man", "man-db"))("only addresses and single words are wider than a terminal of 80 columns", () => {
  const env = { ...process.env, MANWIDTH: "80", LC_ALL: "C.UTF-8" };
  const names = [
    "forgectl",
    "forgectl-hooks-create",
    "forgectl-state-apply",
    "forgectl-audit",
    "forgectl-registry-prune",
  ];
  const wide = names.flatMap((name) => {
    const { stdout } = spawnSync("man", ["--local-file", `man/${name}.1`], { encoding: "utf8", env });
    const lines = stdout.replace(/.[\b]/g, "").split("\n");
    return lines.filter((line) => line.length > 80 && line.trim().split(" ").length > 2);
  });
  expect(wide).toEqual([]);
});

test("without man, the text of a page has all of its words, in 80 columns", () => {
  for (const path of pages) {
    const page = readFileSync(path, "utf8");
    const text = roffText(page);
    expect(text).not.toMatch(/^\.[A-Z]{2}|\\f[BIR]|\\-|\\\[u/m);
    const wide = text.split("\n").filter((line) => line.length > 80 && line.trim().split(" ").length > 2);
    expect([path, wide]).toEqual([path, []]);
  }
  expect(roffText(readFileSync("man/forgectl-users-list.1", "utf8"))).toContain(
    "\n       --search search\n              Part of",
  );
});

test("the page of every command says what its help says", async () => {
  // Long examples are continued on further lines.
  const packed = (text: string) => text.replace(/\\\n/g, "").replace(/\s+/g, "");
  const nodes = await Promise.all(groups.map((entry) => entry.load()));
  for (const { path, command } of nodes.flatMap((node) => [...commandsIn(node)])) {
    const name = `forgectl-${path.join("-")}`;
    const page = packed(roffText(readFileSync(`man/${name}.1`, "utf8")));
    const flags = describeFlags(command.params);
    const said = [
      command.summary,
      command.details ?? "",
      ...argumentTerms(command.args).map(({ field }) => field.description),
      ...flags.flatMap((flag) => [flag.long.slice(2), flag.field.description, ...(flag.field.values ?? [])]),
      ...command.examples.flatMap(({ line, note = "", before = "" }) => [`forgectl ${line}`, note, before]),
      ...command.requests.flatMap(needsIn),
      // Topics are in forgectl(1).
      ...(command.related ?? [])
        .filter((each) => !each.startsWith("help "))
        .map((each) => `forgectl-${each.replaceAll(" ", "-")}(1)`),
    ];
    expect([name, said.filter((text) => !page.includes(packed(text)))]).toEqual([name, []]);
  }
});

/** The parts of a request's line in the help: the request, then the role, tier, and the like. */
function needsIn(endpoint: AnyEndpoint): string[] {
  const [request = "", needs = ""] = requestLine(endpoint).split(/ \((.*)\)$/);
  return [request, ...needs.split("; ").filter((need) => need !== "")];
}
