import { beforeAll, describe, expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";
import { describeTerminal, openTerminal, type Terminal } from "../support/terminal.ts";

// Reports stay tables on the usual widths: a cell that is never cut is wrapped, and no row becomes a record.

const { env } = await sandboxSession();
const signedIn = { FORGECTL_BASE_URL: env.FORGECTL_BASE_URL, FORGECTL_TOKEN: env.FORGECTL_TOKEN };
/** Nothing scrolls away. */
const tall = 900;

/** The commands, with a word of their header, the number of their rows, and the most lines of a row. */
const reports = [
  [
    "forgectl registry prune -g acme --match 'acme/website' --delete-regex 'nightly-.*' --keep-n 2 -n",
    "verdict",
    46,
    2,
  ],
  ["forgectl registry prune -g acme --match '**/runner' --delete-regex 'v.*' --keep-n 2 -n", "verdict", 12, 3],
  ["forgectl hooks redeliver 2 -g acme -n", "verdict", 17, 1],
  ["forgectl state history", "changes", 1, 1],
  ["forgectl hooks health -g acme", "deliveries", 3, 3],
  ["forgectl settings audit --min-severity high", "verdict", 5, 5],
  ["forgectl auth status", "profile", 2, 2],
  ["forgectl batch reads.ndjson", "status", 4, 1],
] as const;

describeTerminal("at 80, 100, and 120 columns", () => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await openTerminal({ columns: 120, rows: tall, env: signedIn });
    const line = (id: number) => `echo '{"args":["projects","get","${id}"]}'`;
    await terminal.run(`(${[1, 2, 3, 4].map(line).join("; ")}) > reads.ndjson`);
    await terminal.run("forgectl state export --settings --dir forge -q");
    for (const [from, to] of [
      ["true", "false"],
      ["false", "true"],
    ]) {
      const edit = `sed -i 's/signup_enabled: ${from}/signup_enabled: ${to}/' forge/*.yaml`;
      await terminal.run(`${edit}; forgectl state apply -f forge --yes -q`);
    }
    const login = "forgectl auth login --token-stdin --insecure-storage --profile other";
    await terminal.run(`printf %s "$FORGECTL_TOKEN" | ${login}`);
  }, 120_000);

  describe.each([80, 100, 120])("%i", (columns) => {
    beforeAll(() => terminal.resize(columns, tall));

    test.each(reports)("%s", { timeout: 60_000 }, async (line, word, rows, most) => {
      const { lines } = await terminal.run(`${line} 2> messages`);
      const header = lines.findIndex((each) => new RegExp(`(?:^| )${word}(?: |$)`).test(each));
      const body = lines.slice(header + 1);
      // In a record, the word begins a line of each row.
      expect(lines.filter((each) => each.trimStart().startsWith(`${word} `)).length, lines.join("\n")).toBeLessThan(2);
      expect(header).toBeGreaterThanOrEqual(0);
      expect(body.length).toBeGreaterThanOrEqual(rows);
      expect(body.length).toBeLessThanOrEqual(rows * most);
      expect(Math.max(...lines.map((each) => each.length))).toBeLessThanOrEqual(columns);
      if (line.includes("hooks health")) {
        const { lines: messages } = await terminal.run("cat messages");
        expect(messages.join("").includes("left out, for lack of width: p50, p95")).toBe(columns < 120);
      }
    });
  });

  test("the last line of a job stands below its rows", async () => {
    await terminal.resize(100, tall);
    const { lines } = await terminal.run("forgectl registry tags delete 12 v1.1.0 v1.2.0 v1.3.0 -p 7 --yes");
    expect(lines.at(-1)).toBe("3 of 3 done");
    const preview = "forgectl registry prune -p acme/storefront --delete-regex 'nightly-.*' -n";
    expect((await terminal.run(preview)).lines.at(-1)).toMatch(/would be deleted$/);
    const resent = await terminal.run("forgectl hooks resend 2 101 102 103 -g acme --yes");
    expect(resent.lines.at(-1)).toBe("3 of 3 done");
  });
});
