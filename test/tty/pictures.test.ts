import { beforeAll, describe, expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";
import { describeTerminal, openTerminal, type Terminal } from "../support/terminal.ts";

const { env, run } = await sandboxSession();
const signedIn = { FORGECTL_BASE_URL: env.FORGECTL_BASE_URL, FORGECTL_TOKEN: env.FORGECTL_TOKEN };
const calendar = "forgectl events calendar -p acme/storefront";
const signs = /[·░▒▓█]/g;

/** The number of days without and with events, from the data. */
async function daysIn(): Promise<{ none: number; some: number }> {
  const { stdout } = await run("events", "calendar", "-p", "7", "-q", "--jq", "map(.count)");
  const counts: number[] = JSON.parse(stdout);
  const none = counts.filter((count) => count === 0).length;
  return { none, some: counts.length - none };
}

describeTerminal("pictures on a terminal", () => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await openTerminal({ columns: 120, rows: 60, env: signedIn });
  });

  describe("the heat map", () => {
    test("at 120 columns has every week, two columns each, and a character for every day", async () => {
      await terminal.resize(120, 60);
      const { lines, code } = await terminal.run(calendar);
      expect(code).toBe(0);
      expect(lines[0]).toMatch(/^ {4,}[A-Z][a-z]{2} .*[A-Z][a-z]{2}\b/);
      const firstWeek = /^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat) [·░▒▓█ ] /;
      expect(lines.slice(1, 8).filter((line) => firstWeek.test(line))).toHaveLength(7);
      const drawn = lines.slice(1, 8).join("").match(signs) ?? [];
      const { none, some } = await daysIn();
      expect([drawn.filter((sign) => sign === "·").length, drawn.filter((sign) => sign !== "·").length]).toEqual([
        none,
        some,
      ]);
      expect(lines[8]).toBe("· none  ░ 1-9  ▒ 10-19  ▓ 20-29  █ 30+");
      expect(lines.slice(9).join("")).toMatch(
        /^\d+ events on \d+ of \d+ days since .*; longest streak .*; busiest day/,
      );
    });

    test("at 40 columns omits the oldest weeks, and says so", async () => {
      await terminal.resize(40, 60);
      const { lines } = await terminal.run(calendar);
      expect(lines[1]).toMatch(/^Sun [·░▒▓█]{36}$/);
      expect(lines[8]).toBe("· none  ░ 1-9  ▒ 10-19  ▓ 20-29  █ 30+");
      expect(lines.slice(9, 11).join("")).toBe(
        "the last 36 of 53 weeks: the terminal has no room for more; -o csv has every day",
      );
    });

    test("reads the same without color", async () => {
      await terminal.resize(80, 60);
      const colored = await terminal.run(calendar);
      expect((await terminal.colored()).join("")).toContain("\u001b[36m░");
      const plain = await terminal.run(`NO_COLOR=1 ${calendar}`);
      expect((await terminal.colored()).join("")).not.toContain("\u001b[36m");
      expect(plain.lines).toEqual(colored.lines);
    });

    test.each(["ACCESSIBLE=1", "TERM=dumb"])("%s: words instead", async (variable) => {
      const { lines } = await terminal.run(`${variable} ${calendar} --weeks 4 -q`);
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d: (?:nothing|\d+ on \d+ days?, most on \S+ \(\d+\))$/);
    });

    test("in a pipe it is rows", async () => {
      const { lines } = await terminal.run(`${calendar} -q --weeks 1 | head -n 2`);
      expect(lines).toEqual([
        expect.stringMatching(/^date\s+count$/),
        expect.stringMatching(/^\d{4}-\d\d-\d\d\s+\d+$/),
      ]);
    });
  });

  const summary = async (line: string) => (await terminal.run(`${line} > /dev/null`)).lines;

  test("users report: its counts as bars, relative to the largest; a sentence if nothing is drawn", async () => {
    await terminal.resize(80, 60);
    const bars = await summary("forgectl users report");
    expect(bars[0]).toMatch(/^\d+ users$/);
    expect(bars[1]).toMatch(/^without a second factor {2}█{20} {2}\d+$/);
    for (const line of bars.slice(2)) expect(line).toMatch(/^[a-z ]+ {2}█+ *\d+$/);
    await terminal.resize(40, 60);
    for (const line of await summary("forgectl users report")) expect(line.length).toBeLessThanOrEqual(40);
    await terminal.resize(200, 60);
    const told = await summary("ACCESSIBLE=1 forgectl users report");
    expect(told).toEqual([expect.stringMatching(/^\d+ users: \d+ without a second factor, \d+ dormant/)]);
  });

  test("registry usage: a bar in the available width, with the share next to it at every width", async () => {
    const shares = async () =>
      (await terminal.run("forgectl registry usage -p acme/storefront -q --no-header")).lines.map((line) =>
        line.replace(/^.*?([█ ]* \d+ %)$/, "$1").trim(),
      );
    await terminal.resize(80, 60);
    expect(await shares()).toEqual(["██████████████        70 %", "██████                30 %", "0 %"]);
    await terminal.resize(40, 60);
    expect((await shares()).map((share) => share.replace(/^█* */, ""))).toEqual(["70 %", "30 %", "0 %"]);
    await terminal.resize(80, 60);
    const told = await terminal.run("ACCESSIBLE=1 forgectl registry usage -p acme/storefront -q");
    expect(told.lines.join("\n")).not.toContain("█");
    expect(told.lines[1]).toMatch(/ 70 %$/);
  });

  test.each([140, 200])("hooks health at %i columns: one line each, none wider than the terminal", async (columns) => {
    await terminal.resize(columns, 60);
    const { lines } = await terminal.run("forgectl hooks health -g acme -q");
    expect(lines.slice(-3).map((line) => line.slice(0, 2))).toEqual([" 1", " 2", " 3"]);
    for (const line of lines.slice(-3)) expect(line).toMatch(/[·▁▂▃▄▅▆▇█]{7}$/);
  });

  test("hooks health at 40 columns: records, each with its pictures", async () => {
    await terminal.resize(40, 60);
    const { lines } = await terminal.run("forgectl hooks health -g acme -q");
    expect(lines.filter((line) => /^\d {2}\w+$/.test(line))).toEqual(["1  Chat", "2  Deploys", "3  Pager"]);
    expect(lines.filter((line) => /^ {2}days +[·▁▂▃▄▅▆▇█]{7}$/.test(line))).toHaveLength(3);
    expect(lines.filter((line) => /^ {2}failure_rate .* \d+ %$/.test(line))).toHaveLength(3);
  });

  test("hooks health without pictures: numbers", async () => {
    await terminal.resize(200, 60);
    const { lines } = await terminal.run("ACCESSIBLE=1 forgectl hooks health -g acme");
    expect(lines[1]).toMatch(/ \d+ % .* \d+(?:, \d+){6}$/);
  });
});
