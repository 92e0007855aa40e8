import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";
import { describeTerminal, openTerminal } from "../support/terminal.ts";

// The program's own signs on a terminal that shows ASCII only; what the instance says is shown as it is.

const own = /[→…❯↑↓·█▁-▇░▒▓\u2800-\u28ff]/u;
const { env } = await sandboxSession();
const instance = { FORGECTL_BASE_URL: env.FORGECTL_BASE_URL, FORGECTL_TOKEN: env.FORGECTL_TOKEN };

const lines = [
  ["an error", "forgectl groups get nothere"],
  ["cut texts", "forgectl users list --limit 20"],
  ["bars", "forgectl registry usage -g acme"],
  ["a sparkline and a bar", "forgectl hooks health -g acme --fields id,days,failure_rate"],
  ["a heat map", "forgectl events calendar --user root"],
  ["a plan", "forgectl state plan -f state.yaml"],
  ["a plan as a table", "forgectl state plan -f state.yaml --fields fields"],
] as const;

describeTerminal("signs of the locale", () => {
  test.each(lines)(
    "%s",
    async (_, line) => {
      const terminal = await openTerminal({ env: instance });
      const file =
        "forgectl: 1\nprojects: { acme/docs: { error_tracking: { active: true } } }\nsettings: { max_login_attempts: 5 }\n";
      writeFileSync(join(terminal.home, "state.yaml"), file);
      expect((await terminal.run(line)).lines.join("\n")).toMatch(own);
      for (const locale of ["LC_ALL=C", "LC_ALL= LC_CTYPE=de_DE.ISO-8859-1"]) {
        const shown = (await terminal.run(`${locale} ${line}`)).lines;
        expect(shown.length).toBeGreaterThan(0);
        expect(shown.join("\n")).not.toMatch(own);
      }
    },
    60_000,
  );

  test("the chooser", async () => {
    const terminal = await openTerminal({ env: instance });
    terminal.start("LC_ALL=C forgectl registry get");
    await terminal.shows(/^> \S+\/\S+ [\s\S]*Up and Down to move/m);
    expect((await terminal.screen()).join("\n")).not.toMatch(own);
    terminal.press("Escape");
    await terminal.end();
  }, 60_000);
});
